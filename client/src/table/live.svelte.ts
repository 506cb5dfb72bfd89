// A live table in one window: the socket feeds the queue, and the queue feeds felt, log and speech.

import { session } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import type { AskData, EventsMessage, HoldsMessage, Layout, MeterMessage, Payment, SeatData, ShoeData, Snapshot, EventText, Wager, WatchersMessage, WireCommand, You } from "../wire";
import { words } from "../i18n";
import { Cutter } from "./cut";
import { adopt, emptyFelt, fold, takeSnapshot, type Felt, type ShownSpot, type Tag } from "./felt";
import { logLine, MAX_LINES, historyLines, type LogLine } from "./logLines";
import { motion, time } from "./motion.svelte";
import { placesOf, printed } from "./layout";
import { Queue, type Player, type Step } from "./queue";
import { connectTo, TableSocket, type Answer, type Environment, type Listener, type Link } from "./socket";
import { speech } from "./speech.svelte";

export interface Refusal {
  reason: string;
  rules: string[];
  at: string; // the control that was used
}

export interface Sent {
  at: string;
  slow: boolean;
}

/** A disconnected seat and how long it is held. */
export interface Hold {
  until: number;
  whole: number; // milliseconds when first announced
}

/** A win that the whole table celebrates. */
export interface Celebration {
  key: number;
  kind: "super" | "envy" | "jackpot";
  sentence: string;
  amount: string;
  payment: Payment;
  mine: boolean;
  cards: number[];
}

const SLOW = 2_000; // milliseconds before "still sending" appears

const browser = (table: number): Environment => ({
  open: () => connectTo(table),
  token: () => session.token(),
  now: () => session.now(),
  later: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  key: () => crypto.randomUUID(),
});

export class LiveTable implements Listener, Player {
  felt = $state<Felt>(emptyFelt());
  known = $state(false); // whether a snapshot has arrived
  link = $state.raw<Link>({ kind: "connecting" });
  ask = $state.raw<AskData | null>(null);
  heard = $state.raw<AskData | null>(null); // the newest prompt, which may be ahead of the felt
  idle = $state(true); // nothing moves, so options may be shown
  you = $state.raw<You | null>(null);
  watchers = $state(0);
  holds = $state.raw<Record<string, Hold>>({}); // disconnected seats
  log = $state.raw<LogLine[]>([]);
  sent = $state<Sent | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  toast = $state("");
  celebration = $state.raw<Celebration | null>(null);
  opened = $state.raw<Tag[] | null>(null); // payments whose rules are open
  explained = $state<Wager | null>(null); // the side bet whose rules are open
  layout = $state.raw<Layout | null>(null); // the print on the felt
  peeks = $state(0);
  lights = $state.raw<Record<string, { good: boolean; words: string }>>({}); // by game: whether the meter makes its wager worth it
  voided = $state("");
  back = $state(false); // just reconnected
  clocks = $state(0); // full time for the current prompt, in milliseconds

  readonly queue: Queue;
  readonly socket: TableSocket;
  /** Called for every event when it is shown, after the felt has changed. */
  onEvent: (step: Step) => void = () => undefined;
  onIdle: () => void = () => undefined;
  #closed = new AbortController();
  #cutter = new Cutter();
  #shoe: ShoeData | null = null; // latest known shoe, which may be ahead of the felt
  #coming: AskData | null = null; // prompt to show when nothing moves anymore
  #meters = new Map<number, number>(); // last known amount by jackpot
  #celebrations = 0;
  #parties: Celebration[] = []; // celebrations waiting for the current one
  #toastTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    readonly id: number,
    environment: Environment = browser(id),
  ) {
    this.queue = new Queue(this, () => (document.hidden ? 0 : settings.chosen.speed));
    this.socket = new TableSocket(environment, this);
  }

  open(): void {
    const { signal } = this.#closed;
    addEventListener("offline", () => void this.socket.probe(), { signal });
    addEventListener("online", () => (this.link.kind === "lost" ? this.socket.tryNow() : void this.socket.probe()), { signal });
    void this.socket.connect();
  }

  close(): void {
    this.#closed.abort();
    this.queue.clear();
    this.socket.end();
    motion.forget();
  }

  // --- people ---

  get person(): string {
    return this.you?.person ?? (session.person ? String(session.person.id) : "");
  }

  get seat(): SeatData | null {
    return this.felt.seats.find((seat) => seat.person === this.person) ?? null;
  }

  get mySpots(): number[] {
    return this.seat?.spots ?? [];
  }

  /** The player's chips at risk. */
  get inPlay(): number {
    return this.mySpots.reduce((sum, spot) => sum + (this.felt.spots[spot]?.inPlay ?? 0), 0);
  }

  /** The number of spectators besides this window. */
  get onlookers(): number {
    return Math.max(0, this.watchers - (this.seat ? 0 : 1));
  }

  get stack(): number {
    const seat = this.seat;
    return seat ? (this.felt.stacks[String(seat.seat)] ?? seat.stack) : 0;
  }

  /** Whether the player in this window has a prompt and can answer it now. */
  get isAsked(): boolean {
    return this.idle && this.link.kind !== "shut" && this.ask !== null && this.ask.spots.some((spot) => this.mySpots.includes(spot));
  }

  /** The last event, while it is being shown. */
  get happening(): string {
    return this.log.at(-1)?.talk ?? "";
  }

  /** The player's own hand that the prompt is about, which is highlighted. */
  get handAsked(): { spot: number; hand: number } | null {
    const { ask } = this;
    if (!this.isAsked || !ask || ask.kind === "wagers") return null;
    const spot = ask.spots.find((number) => this.mySpots.includes(number));
    return spot === undefined ? null : { spot, hand: ask.kind === "decision" ? ask.hand : 0 };
  }

  /** What one of my hands is called; plain if it's the spot's only hand. */
  nameOf(spot: ShownSpot, hand: number): string {
    const text = words.table;
    if (spot.hands.length < 2) return text.spot(spot.number);
    return this.mySpots.length > 1 ? text.spotHand(spot.number, hand + 1) : text.hand(hand + 1);
  }

  // --- socket listener ---

  onSnapshot(message: Snapshot): void {
    const wasKnown = this.known;
    this.queue.clear();
    motion.moving = false;
    takeSnapshot(this.felt, message);
    this.#showMeters();
    this.log = historyLines(message.story, this.person, message.round?.number ?? 0);
    this.#turnTo(message.ask);
    this.idle = true;
    this.known = true;
    if (!this.layout) void this.#print(message.table.canonical);
    if (wasKnown) this.#sayBack();
    this.#shoe = message.shoe;
    this.heard = message.ask;
    this.#cut(message.ask);
    this.onIdle();
  }

  onEvents(message: EventsMessage, missed: boolean): void {
    if (message.shoe) this.#shoe = message.shoe;
    if (message.ask && message.ask.n === this.heard?.n) message.ask.options ??= this.heard.options;
    this.#cut(message.ask);
    this.heard = message.ask;
    this.queue.push(message);
    if (missed) {
      this.queue.skip();
      this.#sayBack();
    }
  }

  onYou(message: You): void {
    this.you = message;
    this.#cut(this.heard);
  }

  onMeter(message: MeterMessage): void {
    this.#meters.set(message.jackpot, message.cents);
    if (this.idle) this.#showMeters();
  }

  onWatchers(message: WatchersMessage): void {
    this.watchers = message.count;
  }

  onHolds(message: HoldsMessage): void {
    const held = Object.entries(message.seats).map(([seat, until]): [string, Hold] => {
      const known = this.holds[seat];
      return [seat, known?.until === until ? known : { until, whole: until - session.now() }];
    });
    this.holds = Object.fromEntries(held);
  }

  onLink(link: Link): void {
    this.link = link;
    if (link.kind === "lost" && this.known) speech.shout(words.table.lost);
  }

  // --- queue ---

  play(step: Step, moving: boolean): number {
    motion.moving = moving;
    this.idle = false;
    fold(this.felt, step.event, step.told, step.after);
    if (step.told) this.#tell(step, step.told);
    if (step.event.event === "DealerChecked") this.peeks += 1;
    if (step.event.event === "SupervisorCalled" || step.event.event === "TimeRanOut") this.note(this.log.at(-1)?.text ?? "");
    if (step.event.event === "RoundVoided") this.voided = this.log.at(-1)?.text ?? step.event.reason;
    if (step.event.event === "StageReached" && step.event.stage === "deal") this.voided = "";
    if (step.end) this.#settle(step.end);
    this.onEvent(step);
    return moving ? this.length(step) : 0;
  }

  length(step: Step): number {
    return lengthOf(step);
  }

  rest(): void {
    this.#turnTo(this.#coming);
    this.idle = true;
    this.#showMeters();
    this.onIdle();
  }

  caughtUp(): void {
    this.note(words.table.caughtUp);
    speech.say(words.table.caughtUp);
  }

  /** A click on the felt skips the motion. */
  skip(): void {
    this.queue.skip();
  }

  #tell(step: Step, told: EventText): void {
    const line = logLine(step.n, step.event.event, told, this.person, this.felt.round);
    this.log = [...this.log.slice(-MAX_LINES), line];
    const party = told.payment && this.#party(step, told, told.payment);
    if (party) this.#celebrate(party);
    if (party?.mine || (line.strong && line.mine)) speech.shout(line.spoken);
    else speech.tell(line);
  }

  /** After the last event of a message, the table has the server's state. */
  #settle(message: EventsMessage): void {
    this.felt.stacks = { ...message.stacks };
    if (message.seats) this.felt.seats = message.seats;
    if (message.shoe) this.felt.shoe = message.shoe;
    if (message.round) adopt(this.felt, message.round);
    this.#coming = message.ask;
  }

  #turnTo(ask: AskData | null): void {
    const isNew = ask?.n !== this.ask?.n;
    this.ask = ask;
    if (!isNew) return;
    this.refusal = null;
    this.clocks = ask?.until ? ask.until - session.now() : 0;
    const own = ask?.told.you?.[this.person];
    if (own && ask?.kind !== "cut_commit") speech.ask(own.spoken || own.text);
  }

  #party({ event }: Step, told: EventText, payment: Payment): Celebration | null {
    const kind = payment.wager === "super" ? "super" : payment.wager === "envy" ? "envy" : null;
    const isJackpot = event.event === "WagerSettled" && event.meter > 0; // paid from the meter
    if (!kind && !isJackpot) return null;
    const own = told.you?.[this.person];
    const hand = this.felt.spots[payment.spot]?.hands[payment.hand ?? 0];
    return {
      key: ++this.#celebrations,
      kind: kind ?? "jackpot",
      sentence: (own ?? told).text,
      amount: payment.amount,
      payment,
      mine: own !== undefined,
      cards: kind === "super" ? (hand?.cards ?? []).flatMap((card) => card.card ?? []) : [],
    };
  }

  /** Celebrate one at a time. Other players' Envy Bonuses appear only in the log. */
  #celebrate(found: Celebration): void {
    if (found.kind === "envy" && !found.mine) return;
    if (this.celebration) this.#parties.push(found);
    else this.celebration = found;
  }

  endCelebration(key: number): void {
    if (this.celebration?.key === key) this.celebration = this.#parties.shift() ?? null;
  }

  #showMeters(): void {
    for (const [game, jackpot] of Object.entries(this.felt.table?.jackpots ?? {})) {
      const cents = this.#meters.get(jackpot);
      if (cents !== undefined) this.felt.meters[game] = cents;
    }
  }

  async #print(rules: string): Promise<void> {
    this.layout = await printed(rules).catch(() => null); // the felt works without its print
  }

  /** The side bets at this table. */
  get sides(): Wager[] {
    return this.layout ? placesOf(this.layout) : [];
  }

  #sayBack(): void {
    this.back = true;
    speech.shout(this.backWords);
    setTimeout(() => (this.back = false), time("celebrate") * 2);
  }

  /** The message after reconnecting, with the prompt that waits for the player, if any. */
  get backWords(): string {
    const own = this.isAsked ? this.ask?.told.you?.[this.person] : undefined;
    return words.table.back(this.felt.round, own?.short ?? "");
  }

  /** Whether all clocks stand still. They run on for a lost client, but a restarted server restarts them. */
  get clocksWait(): boolean {
    return this.link.kind === "lost" && this.link.restart;
  }

  note(text: string): void {
    this.toast = text;
    if (this.#toastTimer) clearTimeout(this.#toastTimer);
    this.#toastTimer = setTimeout(() => (this.toast = ""), Math.max(time("note"), 1));
  }

  // --- commands ---

  /** Send a command. A refusal is shown and read aloud at the control that was used. */
  async act(command: WireCommand, at: string): Promise<Answer | null> {
    if (this.sent) return null;
    if (this.link.kind !== "open") {
      // A command given while disconnected must not take effect later.
      this.refuse(words.table.disconnected, [], at);
      return null;
    }
    this.refusal = null;
    this.sent = { at, slow: false };
    const timer = setTimeout(() => this.sent && (this.sent.slow = true), SLOW);
    const answer = await this.socket.send(command, this.ask?.n ?? null);
    clearTimeout(timer);
    this.sent = null;
    if (answer.type === "refused") this.refuse(answer.reason, answer.rules, at);
    return answer;
  }

  /** Take a spot: a visitor becomes a guest first, a player adds a spot. */
  async takeSpot(spot: number): Promise<void> {
    const at = `spot ${spot}`;
    if (!session.person) await this.joinAsGuest(at);
    else if (this.seat) await this.playSpots([...this.mySpots, spot].sort((a, b) => a - b), at);
    else await this.act({ command: "TakeSeat", seat: spot }, at);
  }

  async playSpots(spots: number[], at: string): Promise<void> {
    await this.act({ command: "ChooseSpots", spots }, at);
  }

  /** Join as a guest, with the chosen name if there is one. */
  async joinAsGuest(at: string): Promise<void> {
    try {
      await session.guest();
      location.reload(); // reconnects as this person
    } catch (error) {
      this.refuse(error instanceof Error ? error.message : String(error), [], at);
    }
  }

  refuse(reason: string, rules: string[], at: string): void {
    this.refusal = { reason, rules, at };
    speech.shout(words.table.withRule(reason, rules));
  }

  // --- automatic cut ---

  #cut(ask: AskData | null): void {
    const seat = this.seat?.seat ?? this.you?.seat ?? null;
    void this.#cutter.answer(ask, this.#shoe, seat).then(async (command) => {
      if (!command) return;
      const answer = await this.socket.send(command, ask?.n ?? null);
      if (answer.type === "refused" && answer.code === "cut_barred") {
        await this.socket.send({ command: "Ready" }, ask?.n ?? null);
      }
    });
  }
}

/** Milliseconds at speed 1 until the next event is shown. */
function lengthOf({ event, next }: Step): number {
  switch (event.event) {
    case "StageReached":
      return event.stage === "deal" ? time("panel") : 0;
    case "CardDealt":
      return next?.event === "CardDealt" ? time("gap") : time("deal") + time("gap");
    case "DealerChecked":
      return time("peek");
    case "DownCardExposed":
      return time("flip") + time("gap");
    case "WagerSettled":
      return event.paid > event.stake ? time("pay") : event.paid < event.stake ? time("slide") : time("panel");
    case "BonusCardsLocked":
    case "BlackjackTaken":
    case "BlackjackKept":
    case "InsurancePlaced":
      return time("panel");
    case "HandStood":
    case "HandRemoved":
      return time("gap");
    case "HandDoubled":
    case "HandSplit":
    case "HandSurrendered":
      return time("slide");
    case "HandRescued":
    case "SupervisorCalled":
      return 2 * time("slide");
    case "AdviceGiven":
      return time("note");
    case "RoundClosed":
      return time("note");
    default:
      return 0;
  }
}
