// The contents of the felt, built from a snapshot and updated by each event.
// Nothing here knows the rules. An event that makes no sense is shown as it is.

import type {
  After,
  HandView,
  Payment,
  RoundData,
  SeatData,
  ShoeData,
  Snapshot,
  SpotView,
  Stage,
  TableData,
  EventText,
  Wager,
  WireEvent,
  MessageText,
} from "../wire";

export interface ShownCard {
  key: string;
  card: number | null; // null: face down
  sideways: boolean; // drawn after a double
}

export type TagKind = "win" | "push" | "loss";

/** A payment next to its wager. */
export interface Tag {
  key: string;
  payment: Payment;
  kind: TagKind;
  sentence: string;
}

export interface ShownHand {
  key: string;
  cards: ShownCard[];
  piles: number[]; // stakes in the order they were placed, while in play
  count: string;
  words: string;
  status: HandView["status"];
  onTable: boolean;
  late: boolean; // stands because time ran out
  tag: Tag | null;
}

export interface ShownSpot {
  number: number;
  person: string;
  name: string;
  base: number;
  mtd: SpotView["mtd"];
  jackpots: SpotView["jackpots"];
  insurance: number | null;
  inPlay: number;
  net: number;
  riding: Record<string, number>;
  hands: ShownHand[];
  tags: Tag[]; // tags of wagers other than the hands
  advice: string;
}

export interface Felt {
  table: TableData | null;
  seats: SeatData[];
  shoe: ShoeData | null;
  stacks: Record<string, number>;
  meters: Record<string, number>; // by game
  round: number; // 0: none yet
  stage: Stage | null; // null: between rounds
  past: boolean; // cards and payments are from the previous round
  dealer: ShownCard[];
  dealerWords: MessageText | null;
  peeking: boolean;
  bonus: ShownCard[];
  locked: boolean;
  late: boolean; // time ran out: the next action is automatic
  watched: number | null; // the spot whose next card a supervisor watches
  spots: Record<number, ShownSpot>;
}

export const emptyFelt = (): Felt => ({
  table: null,
  seats: [],
  shoe: null,
  stacks: {},
  meters: {},
  round: 0,
  stage: null,
  past: false,
  dealer: [],
  dealerWords: null,
  peeking: false,
  bonus: [],
  locked: false,
  late: false,
  watched: null,
  spots: {},
});

let made = 0;
const newKey = (kind: string): string => `${kind}${++made}`;

const newCard = (card: number | null, sideways = false): ShownCard => ({ key: newKey("card"), card, sideways });

const newHand = (): ShownHand => ({
  key: newKey("hand"),
  cards: [],
  piles: [],
  count: "",
  words: "",
  status: "waiting",
  onTable: true,
  late: false,
  tag: null,
});

export const ownerOf = (felt: Felt, spot: number): SeatData | null =>
  felt.seats.find((seat) => seat.spots.includes(spot)) ?? null;

export const spotNumbers = (felt: Felt): number[] => Array.from({ length: felt.table?.seats ?? 0 }, (_, index) => index + 1);

export const freeSpots = (felt: Felt): number[] => spotNumbers(felt).filter((spot) => !ownerOf(felt, spot));

export function spotAt(felt: Felt, number: number): ShownSpot {
  const owner = ownerOf(felt, number);
  felt.spots[number] ??= {
    number,
    person: owner?.person ?? "",
    name: owner?.name ?? "",
    base: 0,
    mtd: {},
    jackpots: {},
    insurance: null,
    inPlay: 0,
    net: 0,
    riding: {},
    hands: [],
    tags: [],
    advice: "",
  };
  return felt.spots[number] as ShownSpot;
}

/** The hand with this number. Missing hands before it are created empty. */
function handAt(felt: Felt, spot: number, hand: number): ShownHand {
  const hands = spotAt(felt, spot).hands;
  while (hands.length <= hand) hands.push(newHand());
  return hands[hand] as ShownHand;
}

// --- snapshots ------------------------------------------------------------------------------

export function takeSnapshot(felt: Felt, message: Snapshot): void {
  Object.assign(felt, emptyFelt(), {
    table: message.table,
    seats: message.seats,
    shoe: message.shoe,
    meters: felt.meters,
  });
  for (const step of message.scene) fold(felt, step.event, step.told, step.after);
  felt.stacks = Object.fromEntries(message.seats.map((seat) => [String(seat.seat), seat.stack]));
  if (!message.round) return;
  adopt(felt, message.round);
  const there = new Set(message.round.spots.map((spot) => spot.number));
  for (const spot of Object.values(felt.spots)) if (!there.has(spot.number)) (felt.past ? withoutWagers : emptySpot)(spot);
}

/** Adopt the server's view of the round and the spots in it. Cards already on the felt keep their identity. */
export function adopt(felt: Felt, round: RoundData): void {
  felt.round = round.number;
  felt.stage = round.stage;
  round.meters.forEach((cents, game) => (felt.meters[String(game + 1)] = cents));
  if (!felt.past || round.dealer.length) {
    felt.past = false;
    felt.dealer = sameCards(felt.dealer, round.dealer);
    felt.dealerWords = round.dealer_words;
  }
  if (!felt.past) felt.bonus = sameCards(felt.bonus, round.bonus_cards);
  for (const seen of round.spots) adoptSpot(spotAt(felt, seen.number), seen, felt.stage);
}

function adoptSpot(spot: ShownSpot, seen: SpotView, stage: Stage): void {
  const { person, name, base, mtd, jackpots, insurance, net, riding } = seen;
  Object.assign(spot, { person, name, base, mtd, jackpots, insurance, net, riding, inPlay: seen.in_play });
  if (stage === "wagers") return; // no hands yet
  spot.hands.length = Math.min(spot.hands.length, seen.hands.length);
  seen.hands.forEach((hand, index) => {
    const shown = spot.hands[index] ?? newHand();
    spot.hands[index] = shown;
    shown.cards = sameCards(shown.cards, hand.cards, hand.doublings);
    shown.piles = samePiles(shown.piles, hand, base);
    Object.assign(shown, { count: hand.count, words: hand.words, status: hand.status });
    shown.onTable = hand.on_table || (shown.onTable && isLate(stage));
  });
}

function sameCards(shown: ShownCard[], cards: (number | null)[], sideways = 0): ShownCard[] {
  const first = cards.length - sideways;
  return cards.map((card, index) => {
    const old = shown[index];
    return old && old.card === card ? old : newCard(card, index >= first && sideways > 0);
  });
}

function samePiles(piles: number[], hand: HandView, base: number): number[] {
  const wager = hand.status === "over" ? 0 : hand.wager;
  if (wagerOn({ piles }) === wager) return piles;
  if (!wager) return [];
  return hand.doublings && base < wager ? [base, wager - base] : [wager];
}

function emptySpot(spot: ShownSpot): void {
  withoutWagers(spot);
  spot.hands = [];
  spot.tags = [];
}

function withoutWagers(spot: ShownSpot): void {
  Object.assign(spot, { base: 0, mtd: {}, jackpots: {}, insurance: null, inPlay: 0, net: 0, riding: {}, advice: "" });
}

// --- events ---------------------------------------------------------------------------------

export function fold(felt: Felt, event: WireEvent, told: EventText | null, after: After | null): void {
  change(felt, event);
  if (after) apply(felt, after);
  if (told?.payment) putTag(felt, told, told.payment);
  if (event.event === "AdviceGiven") spotAt(felt, event.spot).advice = told?.text ?? "";
}

function change(felt: Felt, event: WireEvent): void {
  const isLateAnswer = felt.late;
  felt.late = event.event === "TimeRanOut";
  switch (event.event) {
    case "RoundOpened":
      return openRound(felt, event.number, event.meters);
    case "RoundClosed":
      felt.stage = null;
      return;
    case "RoundVoided":
      for (const spot of Object.values(felt.spots)) {
        pay(felt, spot, 0);
        emptySpot(spot);
      }
      Object.assign(felt, { dealer: [], dealerWords: null, bonus: [] });
      return;
    case "WagersPlaced":
      return placeWagers(felt, event);
    case "WagersWithdrawn":
      pay(felt, spotAt(felt, event.spot), 0);
      return emptySpot(spotAt(felt, event.spot));
    case "ChipsBought":
      return addChips(felt, event.seat, event.amount);
    case "ChipsCashedOut":
      return addChips(felt, event.seat, -event.amount);
    case "StageReached":
      return reachStage(felt, event.stage);
    case "MeterRaised":
      return moveMeter(felt, event.game, event.amount);
    case "MeterLowered":
      return moveMeter(felt, event.game, -event.amount);
    case "MetersShown":
      Object.assign(felt.meters, event.meters);
      return;
    case "CardDealt":
      return dealCard(felt, event);
    case "DownCardExposed":
      return expose(felt, event.card);
    case "BonusCardsLocked":
      felt.locked = true;
      return;
    case "SupervisorCalled":
      felt.watched = event.spot;
      return;
    case "InsurancePlaced":
      spotAt(felt, event.spot).insurance = event.amount;
      return;
    case "HandStood":
      Object.assign(handAt(felt, event.spot, event.hand), { status: "standing", late: isLateAnswer });
      spotAt(felt, event.spot).advice = "";
      return;
    case "HandDoubled":
      handAt(felt, event.spot, event.hand).piles.push(event.amount);
      return;
    case "HandSplit":
      return split(felt, event.spot, event.hand, event.amount);
    case "WagerSettled":
      return settle(felt, event);
    case "HandRemoved":
      handAt(felt, event.spot, event.hand).onTable = isLate(felt.stage);
      return;
    case "TableClosing":
      return setStatus(felt, "closing");
    case "TableClosed":
      return setStatus(felt, "closed");
    case "TableFaulted":
      return setStatus(felt, "fault");
    case "TableResumed":
      return setStatus(felt, "open");
    case "DecksShuffled":
      if (felt.table) felt.table.waits = null; // the inspection is over
      return;
    default:
      return; // described in the log only
  }
}

function setStatus(felt: Felt, status: TableData["status"]): void {
  if (felt.table) felt.table.status = status;
}

function openRound(felt: Felt, number: number, meters: Partial<Record<string, number>>): void {
  for (const spot of Object.values(felt.spots)) {
    for (const hand of spot.hands) hand.onTable = true; // hands that were taken away early are shown again
    withoutWagers(spot);
  }
  for (const [game, cents] of Object.entries(meters)) felt.meters[game] = cents ?? 0;
  Object.assign(felt, { round: number, stage: "wagers", past: felt.dealer.length > 0, watched: null });
}

function placeWagers(felt: Felt, event: Extract<WireEvent, { event: "WagersPlaced" }>): void {
  const spot = spotAt(felt, event.spot);
  const owner = felt.seats.find((seat) => seat.person === event.person);
  const { base, mtd, jackpots, person } = event;
  Object.assign(spot, { base, mtd, jackpots, person, name: owner?.name ?? spot.name, tags: [], hands: [] });
}

function reachStage(felt: Felt, stage: Stage): void {
  felt.stage = stage;
  if (stage !== "deal") return;
  Object.assign(felt, { past: false, dealer: [], dealerWords: null, bonus: [], locked: false });
  for (const spot of Object.values(felt.spots)) {
    spot.tags = [];
    spot.hands = spot.base ? [{ ...newHand(), piles: [spot.base] }] : [];
  }
}

function moveMeter(felt: Felt, game: number, amount: number): void {
  felt.meters[String(game)] = (felt.meters[String(game)] ?? 0) + amount;
}

function dealCard(felt: Felt, event: Extract<WireEvent, { event: "CardDealt" }>): void {
  if (event.place === "bonus") felt.bonus.push(newCard(event.card));
  else if (event.place === "player") {
    const hand = handAt(felt, event.spot, event.hand);
    spotAt(felt, event.spot).advice = ""; // it no longer applies
    hand.cards.push(newCard(event.card, hand.piles.length > 1 && isDoubled(hand)));
    if (felt.watched === event.spot) felt.watched = null;
  } else {
    if (felt.past) Object.assign(felt, { past: false, dealer: [] });
    // The down card may have been dealt earlier; the up card goes to its left.
    if (event.place === "up") felt.dealer.unshift(newCard(event.card));
    else felt.dealer.push(newCard(event.card));
  }
}

/** With more stakes than sideways cards, this card was drawn after a double. */
const isDoubled = (hand: ShownHand): boolean =>
  hand.cards.filter((card) => card.sideways).length < hand.piles.length - 1;

function expose(felt: Felt, card: number): void {
  const hidden = felt.dealer.find((shown) => shown.card === null);
  if (hidden) hidden.card = card;
  else felt.dealer.push(newCard(card));
}

function split(felt: Felt, number: number, index: number, amount: number): void {
  const spot = spotAt(felt, number);
  const hand = handAt(felt, number, index);
  const second = newHand();
  second.cards = hand.cards.splice(1, 1);
  second.piles = [amount];
  spot.hands.splice(index + 1, 0, second);
}

function settle(felt: Felt, event: Extract<WireEvent, { event: "WagerSettled" }>): void {
  if (event.wager !== "hand") return;
  const hand = handAt(felt, event.spot, event.hand);
  hand.piles = [];
  hand.status = "over";
}

function apply(felt: Felt, after: After): void {
  for (const seen of after.hands ?? []) {
    const hand = handAt(felt, seen.spot, seen.hand);
    hand.count = seen.count;
    hand.words = seen.words;
  }
  if (after.dealer) felt.dealerWords = after.dealer;
  if (after.money) {
    const { spot, in_play, net, riding } = after.money;
    pay(felt, spotAt(felt, spot), net - in_play);
    Object.assign(spotAt(felt, spot), { inPlay: in_play, net, riding });
  }
}

/** Chips move between a spot and its owner's stack; `gain` is the spot's result so far. */
function pay(felt: Felt, spot: ShownSpot, gain: number): void {
  const seat = felt.seats.find((found) => found.person === spot.person);
  if (seat) addChips(felt, seat.seat, gain - (spot.net - spot.inPlay));
}

function addChips(felt: Felt, seat: number, amount: number): void {
  felt.stacks[String(seat)] = (felt.stacks[String(seat)] ?? 0) + amount;
}

/** From here on, hands are taken away together at the end of the round. */
const isLate = (stage: Stage | null): boolean =>
  stage === "dealer" || stage === "settlement" || stage === "down_card_wagers" || stage === "awards" ||
  stage === "super_bonus" || stage === "closed";

// --- payments -------------------------------------------------------------------------------

function putTag(felt: Felt, told: EventText, payment: Payment): void {
  const kind = payment.net > 0 ? "win" : payment.net < 0 ? "loss" : "push";
  const tag: Tag = { key: newKey("tag"), payment, kind, sentence: told.text };
  if (payment.wager === "hand" && payment.hand !== null) handAt(felt, payment.spot, payment.hand).tag = tag;
  else spotAt(felt, payment.spot).tags.push(tag);
}

/** The state of a side bet: empty, in play, or settled. */
export type SideBetState = "empty" | "rides" | "won" | "pushed" | "lost";

export function sideBetState(spot: ShownSpot, wager: Wager): SideBetState {
  if (spot.riding[wager]) return "rides";
  const tag = spot.tags.findLast((found) => found.payment.wager === wager);
  if (tag) return tag.kind === "win" ? "won" : tag.kind === "push" ? "pushed" : "lost";
  return "empty";
}

/** The total stake on a hand. */
export const wagerOn = (hand: Pick<ShownHand, "piles">): number => hand.piles.reduce((sum, pile) => sum + pile, 0);

/** What a hand is called besides its total. */
export const restOf = ({ words, count }: ShownHand): string => (words.startsWith(count) ? words.slice(count.length).trim() : "");

/** Whether the payment's tag repeats what the hand is called. */
export function saysTwice(hand: ShownHand): boolean {
  const tag = hand.tag?.payment.tag;
  return tag !== undefined && (tag === hand.words || tag.toLowerCase() === restOf(hand));
}

export const isOn = (hand: ShownHand): boolean => hand.onTable && hand.cards.length > 0;
