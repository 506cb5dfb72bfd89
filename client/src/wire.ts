// Generated from the Python types by `make types`: don't edit.
// Cards are numbers from 0 to 51, amounts are cents, times are milliseconds since 1970.

/** One action of the acting hand. */
export interface ActionOption {
  kind: "action";
  name: string;
  spot: number;
  hand: number;
  legal: boolean;
  chips: number;
  least_chips: number;
  unit: number;
  back: number;
  code: string;
  rules: string[];
  reason: string;
  /** Whether the player has enough chips. */
  covered: boolean;
}

/** The dealer's advice to a player in Super Fun 21. */
export type Advice = "sixth_card_cannot_lose" | "hit_eleven";

export interface AdviceGiven {
  event: "AdviceGiven";
  spot: number;
  hand: number;
  advice: Advice;
}

/** The felt after an event, for clients that show events one by one. */
export interface After {
  hands?: HandAfter[];
  dealer?: MessageText | null;
  money?: MoneyAfter | null;
}

/** A command without an amount: take or keep a blackjack, withdraw or close wagers. */
export interface AnswerOption {
  kind: "answer";
  name: string;
  spot: number;
  legal: boolean;
  code: string;
  rules: string[];
  reason: string;
}

/** The open prompt with its deadline and the possible answers. */
export interface AskData {
  n: number;
  kind: AskKind;
  spots: number[];
  hand: number;
  until: number | null;
  told: TimedPrompt;
  options: (WagerOption | InsuranceOption | AnswerOption | ActionOption)[];
}

/** Kinds of prompts. */
export type AskKind = "cut_commit" | "cut_open" | "wagers" | "blackjack" | "insurance" | "decision";

/** The table waits for these spots; the event's number identifies the prompt. */
export interface AskRaised {
  event: "AskRaised";
  kind: AskKind;
  spots: number[];
  hand: number;
}

/** Progress of an audit, and its result when done. */
export interface AuditData {
  id: number;
  state: "running" | "interrupted" | "done" | "cancelled" | "failed";
  /** Entries checked so far. */
  entries: number;
  of: number;
  result: Record<string, unknown> | null;
}

/** The bank's result goes to the house, which covers a loss. */
export interface BankDropped {
  event: "BankDropped";
  amount: number;
}

export interface BlackjackKept {
  event: "BlackjackKept";
  spot: number;
}

export interface BlackjackTaken {
  event: "BlackjackTaken";
  spot: number;
}

/** The Bonus Cards are out of play. */
export interface BonusCardsLocked {
  event: "BonusCardsLocked";
}

export interface BookData {
  number: number;
  kind: "table" | "jackpot" | "cashier";
  version: number;
  events: number;
  /** Hash of its last entry. */
  head: string;
}

export interface BuyChips {
  command: "BuyChips";
  amount: number;
}

/** The server is closing; reconnect after `retry_ms`. After `token_over`, send a new token. */
export interface Bye {
  type: "bye";
  code: string;
  retry_ms: number;
}

export interface CardDealt {
  event: "CardDealt";
  card: number | null;
  place: Place;
  spot: number;
  hand: number;
}

/** Move chips back to the wallet; all of them if no amount is given. */
export interface CashOut {
  command: "CashOut";
  amount?: number | null;
}

export interface ChipsBought {
  event: "ChipsBought";
  seat: number;
  amount: number;
}

export interface ChipsCashedOut {
  event: "ChipsCashedOut";
  seat: number;
  amount: number;
}

export interface ChooseSpots {
  command: "ChooseSpots";
  spots: number[];
}

/** Everyone has a full clock again, because time jumped or the house was down. */
export interface ClocksRestarted {
  event: "ClocksRestarted";
  reason: string;
}

export interface CloseTable {
  command: "CloseTable";
  reason: string;
}

/** Return after an absence, or cancel leaving. */
export interface ComeBack {
  command: "ComeBack";
}

/** A field to fill in besides the reason. */
export interface CommandField {
  name: string;
  label: string;
  /** Money is entered in dollars and sent in cents. */
  kind: "money" | "number" | "choice" | "text";
  /** Whether to send null if it is left blank. */
  optional: boolean;
  /** To begin with; empty for none. */
  value: string;
  /** Labels by value. */
  choices: Record<string, string>;
}

/** An operator command as a form. */
export interface CommandForm {
  subject: Subject;
  /** Where to send it, with {number} for the subject's number. */
  path: string;
  /** For its button. */
  label: string;
  /** For its dialog, with {name} for the subject's name. */
  title: string;
  help: string;
  /** The subject's statuses in which it is possible; empty for all. */
  statuses: string[];
  /** Whether it can't be undone. */
  final: boolean;
  fields: CommandField[];
}

/** A person's command. */
export interface CommandMessage {
  type: "command";
  /** Chosen by the client: new for each command, the same if a command is repeated. */
  key: string;
  /** The prompt that this answers. */
  ask?: number | null;
  /** When it was sent, in milliseconds, if it answers no prompt. */
  sent?: number | null;
  command: TakeSeat | ChooseSpots | BuyChips | CashOut | Ready | LeaveSeat | ComeBack | CommitCut | OpenCut | PlaceWagers | WithdrawWagers | TakeBlackjack | KeepBlackjack | Insure | Stand | Hit | Double | DoubleDouble | Split | Surrender | Rescue | CloseTable | ResumeTable | DropBank | LinkJackpot | UnlinkJackpot | VoidRound;
}

export interface CommitCut {
  command: "CommitCut";
  commitment: string;
}

export interface CutCommitted {
  event: "CutCommitted";
  seat: number;
  commitment: string;
}

export interface CutData {
  commitment: string;
  value: string | null;
}

export interface CutOpened {
  event: "CutOpened";
  seat: number;
  value: string;
}

/** All cuts are committed; next, they are opened. */
export interface CutsListed {
  event: "CutsListed";
}

export interface DealerChecked {
  event: "DealerChecked";
  blackjack: boolean;
}

/** The command is committed; `n` is the number of its last event. */
export interface DoneMessage {
  type: "done";
  key: string;
  n: number;
}

/** Double down; an amount below the wager is a double for less. */
export interface Double {
  command: "Double";
  spot: number;
  amount?: number | null;
}

export interface DoubleDouble {
  command: "DoubleDouble";
  spot: number;
}

export interface DownCardExposed {
  event: "DownCardExposed";
  card: number;
}

export interface DropBank {
  command: "DropBank";
  reason: string;
}

/** An event as a sentence, the same for everyone. */
export interface EventText {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** Numbers of the rules behind it. */
  rules?: string[];
  /** Whether nobody at the table should miss it. */
  strong?: boolean;
  /** The sentence for the people it is about, by person. */
  you?: Record<string, MessageText>;
  payment?: Payment | null;
}

/** New events; `n` is the number of the first one. */
export interface EventsMessage {
  type: "events";
  n: number;
  events: (TableOpened | TableClosing | TableClosed | TableFaulted | TableResumed | BankDropped | SeatTaken | SpotsChosen | ChipsBought | ChipsCashedOut | SeatReady | SeatAway | SeatBack | SeatLeaving | SeatLeft | ShoeCommitted | CutCommitted | CutsListed | CutOpened | ShoeCut | ShoeRevealed | ShoeLost | RoundOpened | AskRaised | TimeRanOut | ClocksRestarted | RoundClosed | JackpotLinked | JackpotUnlinked | ReserveRaised | WagersPlaced | WagersWithdrawn | StageReached | MeterRaised | MeterLowered | MetersShown | CardDealt | SupervisorCalled | BonusCardsLocked | BlackjackTaken | BlackjackKept | InsurancePlaced | DealerChecked | HandStood | HandHit | HandDoubled | HandSplit | HandSurrendered | HandRescued | AdviceGiven | DownCardExposed | WagerSettled | HandRemoved | RoundVoided)[];
  /** The sentence for each event; null for none. */
  told: (EventText | null)[];
  /** The felt after each event; null if unchanged. */
  after: (After | null)[];
  /** After the last event. */
  round: RoundData | null;
  ask: AskData | null;
  /** Chips of every seat after the last event. */
  stacks: Record<string, number>;
  /** null if unchanged. */
  seats: SeatData[] | null;
  /** null if unchanged. */
  shoe: ShoeData | null;
}

/** A progressive including the undisplayed part of its fund. */
export interface FundData {
  id: number;
  name: string;
  status: "open" | "suspended" | "removed";
  /** Cents. */
  shown: number;
  maximum: number | null;
  seed: number;
  wager: number;
  /** The jackpot game of each linked table. */
  tables: Record<string, number>;
  pay_table: string;
  reserve: number;
  /** Share of each wager, in ten-thousandths. */
  reserve_rate: number;
  /** Seed money advanced by the house and not recovered yet. */
  advanced: number;
  advance_limit: number | null;
  /** Seed money that a reset could not provide. */
  missing: number;
}

export interface HandAfter {
  spot: number;
  hand: number;
  count: string;
  words: string;
}

/** A double or double-double by `amount`. */
export interface HandDoubled {
  event: "HandDoubled";
  spot: number;
  hand: number;
  amount: number;
}

export interface HandHit {
  event: "HandHit";
  spot: number;
  hand: number;
}

/** The hand's cards are removed. */
export interface HandRemoved {
  event: "HandRemoved";
  spot: number;
  hand: number;
}

export interface HandRescued {
  event: "HandRescued";
  spot: number;
  hand: number;
}

/** The hand's second card becomes a separate hand after it, with the same wager. */
export interface HandSplit {
  event: "HandSplit";
  spot: number;
  hand: number;
  amount: number;
}

export type HandStatus = "waiting" | "standing" | "over";

export interface HandStood {
  event: "HandStood";
  spot: number;
  hand: number;
}

export interface HandSurrendered {
  event: "HandSurrendered";
  spot: number;
  hand: number;
}

export interface HandView {
  cards: number[];
  total: number;
  soft: boolean;
  blackjack: boolean;
  wager: number;
  doublings: number;
  status: HandStatus;
  on_table: boolean;
  /** `14`, `soft 17`, `Blackjack`; empty without cards. */
  count: string;
  /** `18 stands`, `20 doubled, stands`, `24 busts`. */
  words: string;
}

/** The first message, due within five seconds; sent again after a gap in `n`. */
export interface Hello {
  type: "hello";
  /** Omit it to watch as a spectator. */
  token?: string | null;
  /** Number of the last event the client has. */
  from?: number | null;
}

export interface Hit {
  command: "Hit";
  spot: number;
}

/** Seats held for clients that disconnected. */
export interface HoldsMessage {
  type: "holds";
  /** When each hold ends; the seat then goes away or, if it is away, cashes out. */
  seats: Record<string, number>;
}

/** Insurance of a spot: any multiple of the unit up to the maximum; 0 declines it. */
export interface InsuranceOption {
  kind: "insurance";
  spot: number;
  most: number;
  unit: number;
  least: number;
  /** Whether the player has enough chips. */
  covered: boolean;
}

/** Insurance; an amount of 0 declines it. */
export interface InsurancePlaced {
  event: "InsurancePlaced";
  spot: number;
  amount: number;
}

/** Insure for this amount; 0 declines. */
export interface Insure {
  command: "Insure";
  spot: number;
  amount: number;
}

export interface JackpotLinked {
  event: "JackpotLinked";
  game: number;
  jackpot: number;
  reserve_rate: number;
}

export interface JackpotUnlinked {
  event: "JackpotUnlinked";
  game: number;
  jackpot: number;
}

/** Keep the blackjack and double it when its turn comes. */
export interface KeepBlackjack {
  command: "KeepBlackjack";
  spot: number;
}

export interface LeaveSeat {
  command: "LeaveSeat";
}

export interface LedgerData {
  lines: LedgerLineData[];
  /** Always 0. */
  sum: number;
}

export interface LedgerLineData {
  kind: string;
  meaning: string;
  accounts: number;
  cents: number;
}

export interface LinkJackpot {
  command: "LinkJackpot";
  game: number;
  jackpot: number;
  reason: string;
}

export interface LobbyData {
  offers: OfferData[];
  tables: LobbyTable[];
  meters: LobbyMeter[];
  /** Play money for a new player, in cents. */
  welcome: number;
}

export interface LobbyMeter {
  id: number;
  name: string;
  status: "open" | "suspended" | "removed";
  /** Cents. */
  shown: number;
  wager: number;
  tables: number[];
  /** Average result of $1 at the current meter; negative if it loses. */
  per_dollar: number | null;
  /** Meter at which the wager breaks even, in cents. */
  break_even: number | null;
}

export interface LobbyTable {
  id: number;
  name: string;
  game: string;
  /** The preset and its changes. */
  rules: string;
  /** Summary of the rules. */
  words: string;
  limits: string;
  status: "open" | "closing" | "closed" | "fault";
  edge: number | null;
  spots: number;
  /** Spots in use. */
  taken: number[];
  /** Whether all seats are taken. */
  full: boolean;
  people: number;
  /** Number of bots, which sit down when a player does. */
  bots: number;
  round: number;
  /** Whether a round is in progress. */
  is_open: boolean;
  /** Whether it is your private table, which nobody else sees here. */
  own: boolean;
}

/** Text for people, with cards as symbols. */
export interface MessageText {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
}

export interface MeterLowered {
  event: "MeterLowered";
  game: number;
  amount: number;
  reason: string;
}

export interface MeterMessage {
  type: "meter";
  jackpot: number;
  cents: number;
}

/** A contribution or seed money; `remainder` is in ten-thousandths of a cent. */
export interface MeterRaised {
  event: "MeterRaised";
  game: number;
  amount: number;
  remainder: number;
  reason: string;
}

/** Meter readings of these games, on which awards are based. A meter that other tables also feed may show more than this round's own sum. */
export interface MetersShown {
  event: "MetersShown";
  meters: Partial<Record<"1" | "2", number>>;
}

export interface MoneyAfter {
  spot: number;
  /** Chips still in play on the spot. */
  in_play: number;
  /** Result of the wagers already settled. */
  net: number;
  /** Wagers still in play other than the hands. */
  riding: Record<string, number>;
}

/** An entry of the jackpot's book. */
export interface Movement {
  version: number;
  /** Milliseconds since 1970. */
  at: number;
  actor: string;
  /** Name of the actor. */
  called: string;
  act: string;
  told: Record<string, string>;
  reason: string | null;
  postings: Record<string, unknown>[];
}

export interface OfferData {
  title: string;
  /** Rules for opening a private table. */
  rules: string;
  words: string;
  /** Null while it is being computed. */
  edge: number | null;
}

export interface OpenCut {
  command: "OpenCut";
  value: string;
}

export interface OwnRound {
  table: number;
  table_name: string;
  number: number;
  shoe: number;
  outcome: "open" | "closed" | "void";
  /** Time of the first wager, in milliseconds since 1970. */
  at: number;
  spots: number[];
  /** Amount won or lost, in cents; null while the round is open. */
  net: number | null;
}

/** A settled wager, for the label next to it. */
export interface Payment {
  wager: Wager;
  title: string;
  spot: number;
  hand: number | null;
  stake: number;
  /** Everything returned to the player. */
  paid: number;
  net: number;
  odds: string;
  reason: string;
  rule: string;
  tag: string;
  /** With sign, or `push`. */
  amount: string;
}

export interface PersonData {
  id: number;
  name: string;
  kind: "guest" | "registered";
  role: "player" | "operator" | "auditor";
}

export interface PersonLine {
  id: number;
  name: string;
  kind: "guest" | "registered";
  role: "player" | "operator" | "auditor";
  wallet: number;
}

/** Destination of a card. */
export type Place = "player" | "up" | "down" | "bonus" | "dealer";

/** All wagers of one spot before the deal; placing them again replaces them. `person` is the id of the spot's player. If it is empty, the player is assumed to play no other spot. */
export interface PlaceWagers {
  command: "PlaceWagers";
  spot: number;
  base: number;
  person?: string;
  mtd?: Partial<Record<"up" | "down" | "b1" | "b2" | "b3" | "b4" | "b5", number>>;
  jackpots?: Partial<Record<"1" | "2", number>>;
}

/** The format of every error response. */
export interface ProblemData {
  type: string;
  title: string;
  status: number;
  /** One sentence for the reader. */
  detail: string;
  /** Error code for programs. */
  code: string;
  /** Numbers of the rules behind the error. */
  rules: string[];
}

export interface PromptText {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** The prompt without the possible actions. */
  short?: string;
}

/** No more wagers, or no cut: the table doesn't need to wait for this seat. */
export interface Ready {
  command: "Ready";
}

/** Nothing has changed. */
export interface RefusedMessage {
  type: "refused";
  key: string;
  code: string;
  reason: string;
  rules: string[];
}

export interface Rescue {
  command: "Rescue";
  spot: number;
}

/** The hidden part of a contribution; `remainder` is in ten-thousandths of a cent. */
export interface ReserveRaised {
  event: "ReserveRaised";
  game: number;
  amount: number;
  remainder: number;
}

export interface ResumeTable {
  command: "ResumeTable";
  reason: string;
}

/** The round was played to its end or voided; its last event says which. */
export interface RoundClosed {
  event: "RoundClosed";
  number: number;
}

export interface RoundData {
  number: number;
  stage: Stage;
  dealer: (number | null)[];
  dealer_words: MessageText | null;
  bonus_cards: number[];
  spots: SpotView[];
  meters: number[];
}

/** Betting is open; includes the meter readings and this table's fractions of a cent. */
export interface RoundOpened {
  event: "RoundOpened";
  number: number;
  shoe: number;
  meters: Partial<Record<"1" | "2", number>>;
  remainders: Partial<Record<"1" | "2", number>>;
}

/** All wagers are refunded and all payments returned; meters retain their contributions. */
export interface RoundVoided {
  event: "RoundVoided";
  reason: string;
}

export interface SatDown {
  table: number;
  seat: number;
}

/** An event of the most recent round, or after it. */
export interface SceneStep {
  event: TableOpened | TableClosing | TableClosed | TableFaulted | TableResumed | BankDropped | SeatTaken | SpotsChosen | ChipsBought | ChipsCashedOut | SeatReady | SeatAway | SeatBack | SeatLeaving | SeatLeft | ShoeCommitted | CutCommitted | CutsListed | CutOpened | ShoeCut | ShoeRevealed | ShoeLost | RoundOpened | AskRaised | TimeRanOut | ClocksRestarted | RoundClosed | JackpotLinked | JackpotUnlinked | ReserveRaised | WagersPlaced | WagersWithdrawn | StageReached | MeterRaised | MeterLowered | MetersShown | CardDealt | SupervisorCalled | BonusCardsLocked | BlackjackTaken | BlackjackKept | InsurancePlaced | DealerChecked | HandStood | HandHit | HandDoubled | HandSplit | HandSurrendered | HandRescued | AdviceGiven | DownCardExposed | WagerSettled | HandRemoved | RoundVoided;
  /** For payments and advice. */
  told: EventText | null;
  after: After | null;
}

/** The seat had no client for too long; its prompts get their defaults at once. */
export interface SeatAway {
  event: "SeatAway";
  seat: number;
}

export interface SeatBack {
  event: "SeatBack";
  seat: number;
}

export interface SeatData {
  seat: number;
  person: string;
  name: string;
  status: "here" | "away" | "leaving";
  spots: number[];
  stack: number;
  ready: boolean;
}

/** The seat is cashed out as soon as it has no wager in an open round. */
export interface SeatLeaving {
  event: "SeatLeaving";
  seat: number;
}

export interface SeatLeft {
  event: "SeatLeft";
  seat: number;
}

/** The seat is done with the current prompt; the deal or the cut doesn't wait for it. */
export interface SeatReady {
  event: "SeatReady";
  seat: number;
}

export interface SeatTaken {
  event: "SeatTaken";
  seat: number;
  person: string;
  name: string;
}

export interface SessionData {
  person: PersonData;
  tokens: TokensData;
}

export interface ShoeCommitted {
  event: "ShoeCommitted";
  shoe: number;
  commitment: string;
}

/** The order of the shoe is final; `withheld` lists the seats that didn't open their cuts. */
export interface ShoeCut {
  event: "ShoeCut";
  shoe: number;
  mix: string;
  withheld: number[];
}

/** The shoe in play, and known facts about the next one. */
export interface ShoeData {
  number: number | null;
  commitment: string | null;
  left: number | null;
  size: number | null;
  /** Cards before the cut card; 0 if it has come out. */
  to_cut: number | null;
  discards: number | null;
  words: string;
  next: number | null;
  next_commitment: string | null;
  cuts: Record<string, CutData>;
}

/** The shoe ended and nobody can verify it, because the key behind its commitment is lost. */
export interface ShoeLost {
  event: "ShoeLost";
  shoe: number;
  reason: string;
}

export interface ShoeRevealed {
  event: "ShoeRevealed";
  shoe: number;
  seed: string;
}

/** The whole table after event `n`. */
export interface Snapshot {
  type: "snapshot";
  n: number;
  table: TableData;
  seats: SeatData[];
  shoe: ShoeData;
  round: RoundData | null;
  ask: AskData | null;
  /** The last lines of the log. */
  story: TimelineEvent[];
  /** The events that led to the current felt. */
  scene: SceneStep[];
}

export interface Split {
  command: "Split";
  spot: number;
}

export interface SpotView {
  number: number;
  person: string;
  name: string;
  base: number;
  mtd: Partial<Record<"up" | "down" | "b1" | "b2" | "b3" | "b4" | "b5", number>>;
  jackpots: Partial<Record<"1" | "2", number>>;
  insurance: number | null;
  hands: HandView[];
  /** Chips still in play on the spot. */
  in_play: number;
  /** Result of the wagers already settled. */
  net: number;
  /** Wagers still in play other than the hands. */
  riding: Record<string, number>;
}

/** All spots the seat plays from now on. */
export interface SpotsChosen {
  event: "SpotsChosen";
  seat: number;
  spots: number[];
}

/** The steps of a round. */
export type Stage = "wagers" | "deal" | "up_card_wagers" | "blackjacks" | "insurance" | "uninsured_blackjacks" | "check" | "blackjacks_after_check" | "play" | "dealer" | "settlement" | "down_card_wagers" | "awards" | "super_bonus" | "closed" | "void";

export interface StageReached {
  event: "StageReached";
  stage: Stage;
}

export interface Stand {
  command: "Stand";
  spot: number;
}

/** The records that operators change; also the first part of the commands' routes. */
export type Subject = "tables" | "jackpots" | "persons";

/** Two qualifying 7s and the up card: the supervisor watches the third card. */
export interface SupervisorCalled {
  event: "SupervisorCalled";
  spot: number;
}

export interface Surrender {
  command: "Surrender";
  spot: number;
}

export interface TableClosed {
  event: "TableClosed";
}

/** No new round starts; the open one is played to its end. */
export interface TableClosing {
  event: "TableClosing";
  reason: string;
}

export interface TableData {
  id: number;
  name: string;
  /** The preset or file. */
  rules: string;
  /** The rules with their changes. */
  canonical: string;
  /** The same for all rules that decide alike. */
  fingerprint: string;
  game: string;
  /** The rules in one line. */
  headline: string;
  limits: string;
  status: "open" | "closing" | "closed" | "fault";
  seats: number;
  /** Jackpot numbers by game. */
  jackpots: Record<string, number>;
}

/** Play stops until an operator voids the round or resumes the table. */
export interface TableFaulted {
  event: "TableFaulted";
  reason: string;
}

export interface TableOpened {
  event: "TableOpened";
  name: string;
  rules: string;
  fingerprint: string;
}

export interface TableResumed {
  event: "TableResumed";
  reason: string;
}

/** Take the payment for the blackjack. */
export interface TakeBlackjack {
  command: "TakeBlackjack";
  spot: number;
}

/** Sit down; the seat plays the spot with its number until it chooses others. */
export interface TakeSeat {
  command: "TakeSeat";
  seat: number;
}

export interface TimeRanOut {
  event: "TimeRanOut";
  ask: number;
}

export interface TimedPrompt {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** The sentence for the people who may answer, by person. */
  you?: Record<string, PromptText>;
}

export interface TimelineEvent {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** Numbers of the rules behind it. */
  rules?: string[];
  /** Whether nobody at the table should miss it. */
  strong?: boolean;
  /** The sentence for the people it is about, by person. */
  you?: Record<string, MessageText>;
  payment?: Payment | null;
  n: number;
  /** Name of the event. */
  event: string;
}

export interface TokensData {
  /** For the `Authorization: Bearer` header and a socket's hello. */
  access: string;
  /** Milliseconds since 1970. */
  access_until: number;
  /** Works once, to get new tokens. */
  refresh: string;
  refresh_until: number;
}

/** The database is unavailable: the command may have been carried out. Send it again. */
export interface UnknownMessage {
  type: "unknown";
  key: string;
  reason: string;
}

export interface UnlinkJackpot {
  command: "UnlinkJackpot";
  game: number;
  reason: string;
}

/** Void the round; possible until awards are due. */
export interface VoidRound {
  command: "VoidRound";
  reason: string;
}

/** The purpose of a payment. The value is its name in hand histories: `mtd up`. */
export type Wager = "hand" | "insurance" | "mtd up" | "mtd down" | "mtd b1" | "mtd b2" | "mtd b3" | "mtd b4" | "mtd b5" | "jackpot 1" | "jackpot 2" | "super" | "envy";

/** A wager that may be placed before the deal on any of these spots, in multiples of the unit. */
export interface WagerOption {
  kind: "wager";
  wager: Wager;
  spots: number[];
  legal: boolean;
  least: number;
  most: number;
  unit: number;
  required: boolean;
  needs: Wager[];
  at_most: Wager | null;
  code: string;
  rules: string[];
  reason: string;
  fixed: number | null;
}

/** A wager, or one part of it, is settled: `paid` is everything the player gets back. */
export interface WagerSettled {
  event: "WagerSettled";
  spot: number;
  hand: number;
  wager: Wager;
  stake: number;
  paid: number;
  odds: string;
  rule: string;
  reason: string;
  meter: number;
}

/** All wagers of a spot, replacing any previous ones. */
export interface WagersPlaced {
  event: "WagersPlaced";
  spot: number;
  person: string;
  base: number;
  mtd: Partial<Record<"up" | "down" | "b1" | "b2" | "b3" | "b4" | "b5", number>>;
  jackpots: Partial<Record<"1" | "2", number>>;
}

export interface WagersWithdrawn {
  event: "WagersWithdrawn";
  spot: number;
}

/** Number of spectators, over all processes of the house. */
export interface WatchersMessage {
  type: "watchers";
  count: number;
}

export interface WithdrawWagers {
  command: "WithdrawWagers";
  spot: number;
}

/** Private data of this person. */
export interface You {
  type: "you";
  person: string;
  seat: number | null;
  client: number | null;
  /** When the socket closes. Send another hello with a new token before then. */
  token_until: number | null;
  stack: number;
  wallet: number;
}

export type WireEvent =
  | TableOpened
  | TableClosing
  | TableClosed
  | TableFaulted
  | TableResumed
  | BankDropped
  | SeatTaken
  | SpotsChosen
  | ChipsBought
  | ChipsCashedOut
  | SeatReady
  | SeatAway
  | SeatBack
  | SeatLeaving
  | SeatLeft
  | ShoeCommitted
  | CutCommitted
  | CutsListed
  | CutOpened
  | ShoeCut
  | ShoeRevealed
  | ShoeLost
  | RoundOpened
  | AskRaised
  | TimeRanOut
  | ClocksRestarted
  | RoundClosed
  | JackpotLinked
  | JackpotUnlinked
  | ReserveRaised
  | WagersPlaced
  | WagersWithdrawn
  | StageReached
  | MeterRaised
  | MeterLowered
  | MetersShown
  | CardDealt
  | SupervisorCalled
  | BonusCardsLocked
  | BlackjackTaken
  | BlackjackKept
  | InsurancePlaced
  | DealerChecked
  | HandStood
  | HandHit
  | HandDoubled
  | HandSplit
  | HandSurrendered
  | HandRescued
  | AdviceGiven
  | DownCardExposed
  | WagerSettled
  | HandRemoved
  | RoundVoided;

export type WireCommand =
  | TakeSeat
  | ChooseSpots
  | BuyChips
  | CashOut
  | Ready
  | LeaveSeat
  | ComeBack
  | CommitCut
  | OpenCut
  | PlaceWagers
  | WithdrawWagers
  | TakeBlackjack
  | KeepBlackjack
  | Insure
  | Stand
  | Hit
  | Double
  | DoubleDouble
  | Split
  | Surrender
  | Rescue
  | CloseTable
  | ResumeTable
  | DropBank
  | LinkJackpot
  | UnlinkJackpot
  | VoidRound;

export type ClientMessage =
  | Hello
  | CommandMessage;

export type ServerMessage =
  | Snapshot
  | EventsMessage
  | You
  | MeterMessage
  | WatchersMessage
  | HoldsMessage
  | DoneMessage
  | RefusedMessage
  | UnknownMessage
  | Bye;
