// Generated from the Python types by `make types`: don't edit.
// Cards are numbers from 0 to 51, amounts are cents, times are milliseconds since 1970.

export interface AcceptedEntry {
  key: string;
  means: string;
  whole: boolean;
}

/** Acknowledge an alarm of the monitor, with what you found as the reason. */
export interface AcknowledgeAlarm {
  command: "AcknowledgeAlarm";
  alarm: number;
  reason: string;
}

/** Answer the dealer's call and watch the third card; play continues. */
export interface AcknowledgeCall {
  command: "AcknowledgeCall";
  reason: string;
}

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

/** The value of an action in base wagers, with best play afterward. */
export interface ActionValue {
  action: string;
  ev: number;
}

/** The dealer's advice to a player in Super Fun 21. */
export type Advice = "sixth_card_cannot_lose" | "hit_eleven";

export interface AdviceData {
  cards: number[];
  up: number;
  asks: "decision" | "insurance" | "blackjack";
  shoe: ValuedData;
  fresh: ValuedData;
  done: ChoiceCost | null;
}

export interface AdviceGiven {
  event: "AdviceGiven";
  spot: number;
  hand: number;
  advice: Advice;
}

/** The felt after an event, for clients that show events one at a time. */
export interface After {
  hands?: HandAfter[];
  dealer?: MessageText | null;
  money?: MoneyAfter | null;
}

/** Someone has looked into an alarm: the sender of the entry, for the reason that it gives. */
export interface AlarmAcknowledged {
  event: "AlarmAcknowledged";
  alarm: number;
}

/** The monitor found wrong payments, a wrong meter or a biased shoe. The event's number in the book identifies the alarm. Nothing at the table announces it. */
export interface AlarmRaised {
  event: "AlarmRaised";
  stream: string;
  finding: string;
  rounds: number[];
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
  pays: number;
}

/** A request for a second person's approval, with its status and answer. */
export interface ApprovalLine {
  request: number;
  at: number;
  until: number;
  requested_by: string;
  requested_by_name: string;
  subject: string;
  title: string;
  details: string;
  consequence: string;
  wanted: string;
  reason: string;
  status: string;
  answered_by: string;
  answered_by_name: string;
  answer_reason: string;
}

export interface ApprovalList {
  /** Whether the house has separate duties. */
  separate_duties: boolean;
  /** The last day's requests, newest first. */
  requests: ApprovalLine[];
}

/** Words centered on a quadratic curve from `x0, y0` to `x1, y1` with control point `cx, cy`. */
export interface Arc {
  words: string;
  size: number;
  spacing: number;
  strong: boolean;
  x0: number;
  y0: number;
  cx: number;
  cy: number;
  x1: number;
  y1: number;
}

/** The open prompt with its deadline and the possible answers. */
export interface AskData {
  n: number;
  kind: AskKind;
  spots: number[];
  hand: number;
  until: number | null;
  told: TimedPrompt;
  /** null with new events if they are the same as before, or if someone else must decide. */
  options: (WagerOption | InsuranceOption | AnswerOption | ActionOption)[] | null;
}

/** Kinds of prompts. */
export type AskKind = "cut_commit" | "cut_open" | "wagers" | "blackjack" | "insurance" | "decision" | "supervisor" | "supervisor_late";

/** The table is waiting for these spots; the event's number identifies the prompt. */
export interface AskRaised {
  event: "AskRaised";
  kind: AskKind;
  spots: number[];
  hand: number;
  task?: string;
  called?: number[];
}

export interface AuditDifference {
  kind: string;
  book: number | null;
  version: number | null;
  what: string;
  stored: string;
  follows: string;
}

export interface AuditResult {
  at?: number;
  holds: boolean;
  house: string;
  books: number;
  entries: number;
  accounts: number;
  seals: number;
  newest_seal: string | null;
  notes: string[];
  differences: AuditDifference[];
  total: number;
}

export interface AuditRun {
  id: number;
  state: JobState;
  entries: number;
  of: number;
  result?: AuditResult | null;
}

/** Who answered when the round waited for the supervisor. */
export type Authority = "floor" | "operator" | "house";

/** Authorize the round's Super Bonuses, Envy Bonuses and percentage awards. */
export interface AuthorizePayments {
  command: "AuthorizePayments";
  reason: string;
}

/** A held award was paid into the wallet by hand, by the entry's sender at the entry's time. */
export interface AwardHandPaid {
  event: "AwardHandPaid";
  award: number;
  round_number: number;
  spot: number;
  person: string;
  amount: number;
}

/** A percentage award must be paid by hand, away from the table. The event's number in the book identifies the award. */
export interface AwardHeld {
  event: "AwardHeld";
  round_number: number;
  spot: number;
  person: string;
  game: number;
  amount: number;
}

/** The balance of an account at a past moment. */
export interface BalanceAt {
  account: string;
  /** Milliseconds since 1970. */
  at: number;
  balance_cents: number;
}

/** The bank's result goes to the house, which covers any loss. */
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

export interface BlackjacksData {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  player: ExactData;
  player_diamonds: ExactData;
  dealer: ExactData;
  both: ExactData;
  both_player_diamonds: ExactData;
  player_alone: ExactData;
  dealer_alone: ExactData;
  ace_up: ExactData;
  dealer_given_ace_up: ExactData;
}

/** A column of payouts, with its position and type size. */
export interface Block {
  title: string;
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
  title_size: number;
  line_height: number;
  lines: PrintedLine[];
}

/** The Bonus Cards are out of play. */
export interface BonusCardsLocked {
  event: "BonusCardsLocked";
}

export interface BonusOnFelt {
  title: string;
  short: string;
  word: string;
}

export type BookKind = "table" | "jackpot" | "cashier";

export interface BookLine {
  number: number;
  kind: BookKind;
  name: string;
  version: number;
  events: number;
  head: string | null;
}

export interface BorrowedStep {
  documents: string[];
  rule: string;
}

/** Record that the cards taken out are back in their boxes at the end of the day. */
export interface BoxCards {
  command: "BoxCards";
  dealer: string;
  supervisor: string;
  reason: string;
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

export interface CardEffect {
  card: string;
  effect_per_wager: number;
}

/** Position of a dealer's card: `up`, `down`, `b1` to `b5`. */
export interface CardPlace {
  name: string;
  words: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface CardSectionData {
  heading: string;
  text: string[];
  pays: PayData[];
  notes: string[];
  rules: string[];
  wager: string;
}

/** The cards taken out at the inspection are back in their boxes. */
export interface CardsBoxed {
  event: "CardsBoxed";
  dealer: string;
  supervisor: string;
}

export interface CardsLeft {
  cards: number;
  counts: Record<string, number>;
}

/** Move chips back to the wallet; all of them if no amount is given. */
export interface CashOut {
  command: "CashOut";
  amount?: number | null;
}

export type CatchOutcome = "caught" | "missed" | "false-alarm";

export interface CatchResultData {
  level: string;
  title: string;
  rules: string;
  table: string;
  fingerprint: string;
  seed: number;
  supervisor: "off" | "required";
  name: string;
  day: string;
  rounds: number;
  steps: number;
  milliseconds: number;
  score: number;
  caught: number;
  errors: CaughtError[];
  false_alarms: CatchVerdict[];
  kinds: ErrorResult[];
}

export interface CatchRoundData {
  level: string;
  title: string;
  rules: string;
  table: string;
  seed: number | null;
  round: number;
  steps: number;
  done: number;
  over: boolean;
  lesson: string;
  deed: DealerDeed | null;
  verdict: CatchVerdict | null;
  ending: CatchVerdict | null;
  false_alarms: number;
  felt: TrainingFelt;
  lines: string[];
  buttons: StepButton[];
  kinds: ErrorChoice[];
}

/** The result of stopping the dealer, or of letting an error pass. */
export interface CatchVerdict {
  outcome: CatchOutcome;
  named: boolean;
  corrected: boolean;
  error: string;
  shown: string;
  answer: string;
  amount: string;
  rules: string[];
  rule: string;
  milliseconds: number;
}

/** A planted error, and how the trainee dealt with it. */
export interface CaughtError {
  round: number;
  kind: ErrorKind;
  verdict: CatchVerdict;
}

export interface CellData {
  section: string;
  row: string;
  column: number;
}

export interface ChangeData {
  name: string;
  words: string;
  kind: "option" | "row";
  rules: string | null;
  fingerprint: string;
}

export interface ChartCell {
  text: string;
  play: string;
  sentence: string;
}

export interface ChartData {
  title: string;
  hard: Record<string, string[]>;
  soft: Record<string, string[]>;
  pairs: Record<string, string[]>;
  doubled: DoubledRowsData[];
  blackjack: string;
  insurance: string;
}

export interface ChartPage {
  title: string;
  subtitle: string;
  ups: string[];
  sections: ChartSection[];
  legend: LegendLine[];
  notes: string[];
  footer: string[];
}

export interface ChartRow {
  label: string;
  first: number;
  last: number;
  cells: ChartCell[];
}

export interface ChartSection {
  name: string;
  title: string;
  rows: ChartRow[];
}

export interface CheckedRules {
  rules: string;
  fingerprint: string;
  decides_like: string[];
  preset: string;
  title: string;
  document: string;
  revision: number;
  game: string;
  warnings: string[];
  departures: DepartureData[];
  valid: true;
  standings: Record<string, string[]>;
  problems: RulesProblem[];
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

/** One action: its expected result and its cost, in base wagers. */
export interface Choice {
  action: string;
  ev: number;
  cost: number;
}

export interface ChoiceCost {
  action: string;
  cost: number;
  cents: number | null;
  sentence: string;
}

export interface ChoiceData {
  value: string;
  words: string;
  change: string;
}

export interface ChooseSpots {
  command: "ChooseSpots";
  spots: number[];
}

export interface ClassCode {
  code: string;
}

export interface ClassData {
  id: number;
  code: string;
  name: string;
  trainer: number;
  created_at: number;
  trainees: Trainee[];
}

export interface ClassesData {
  taught: TaughtClass[];
  joined: JoinedClass[];
}

/** The source passage for a rule number. */
export interface Clause {
  document: string;
  clause: string;
  quote: string;
}

/** Everyone has a full clock again, because time jumped or the house was down. */
export interface ClocksRestarted {
  event: "ClocksRestarted";
  reason: string;
}

/** Close a table: no new rounds, and everyone is cashed out after the current one. */
export interface CloseTable {
  command: "CloseTable";
  reason: string;
}

/** A column of the tables' lines. */
export interface ColumnData {
  name: string;
  heading: string;
  unit: "text" | "count" | "cents" | "share" | "flag";
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
  /** Whether to send null if the field is left blank. */
  optional: boolean;
  /** Initial value; empty for none. */
  value: string;
  /** Labels by value. */
  choices: Record<string, string>;
}

/** An operator command as a form. */
export interface CommandForm {
  subject: Subject;
  /** Where to send it, with {number} for the subject's number. */
  path: string;
  /** Label of the command's button, naming the action. */
  label: string;
  /** Title of the dialog, with {name} for the subject's name. */
  title: string;
  help: string;
  /** What happens next, to show before confirming. */
  consequence: string;
  /** Subject statuses that allow the command; empty for all. */
  statuses: string[];
  /** What a table must have for the command. */
  needs: "jackpot" | "open_round" | "closed_round" | null;
  /** Whether it can't be undone. */
  final: boolean;
  /** Whether it is a step in a checklist, which offers it when it is due. */
  step: boolean;
  fields: CommandField[];
}

/** A person's command. */
export interface CommandMessage {
  type: "command";
  /** Chosen by the client: new for each command, unchanged for a repeat. */
  key: string;
  /** The prompt that this answers. */
  ask?: number | null;
  /** When it was sent, in milliseconds, if it doesn't answer a prompt. */
  sent?: number | null;
  command: TakeSeat | ChooseSpots | BuyChips | CashOut | Ready | LeaveSeat | ComeBack | CommitCut | OpenCut | PlaceWagers | WithdrawWagers | TakeBlackjack | KeepBlackjack | Insure | Stand | Hit | Double | DoubleDouble | Split | Surrender | Rescue | CloseTable | ResumeTable | DropBank | InspectDeck | ShuffleDecks | BoxCards | LinkJackpot | UnlinkJackpot | VoidRound | CorrectRound | AcknowledgeCall | AuthorizePayments | PayByHand | AcknowledgeAlarm;
}

export interface CommitCut {
  command: "CommitCut";
  commitment: string;
}

export interface ComparisonLineData {
  name: string;
  ev: number;
  house_edge: number;
  change: number | null;
  fingerprint: string;
}

export interface ConsoleData {
  entries: string[];
  entry_words: string[];
  problem: EntryProblem | null;
  prompt: ConsolePrompt;
  seats: number;
  side_bets: SideBetEntry[];
  pack: number[];
  left: number[];
  felt: TrainingFelt;
  lines: string[];
  steps: ConsoleStep[];
  cards: number[];
  meters: [number, number][];
  over: boolean;
  table: string;
  totals: SpotTotal[];
  notation: string;
}

export interface ConsolePrompt {
  sentence: string;
  wants: "wagers" | "card" | "answer";
  early_up: boolean;
  point: DeedTarget | null;
  keys: AcceptedEntry[];
}

export interface ConsoleStep {
  kind: string;
  text: string;
  amount: string;
  cents: number;
  spot: number;
  rules: string[];
  rule: string;
  new: boolean;
  told: boolean;
  any_order: string[];
}

export interface ContextData {
  house: string;
  table: string;
  shoe: number;
  rules: string;
  pack: Pack;
  decks: number;
  burn: number;
  cut: number;
}

/** Correct the amount that a closed round paid to a spot. */
export interface CorrectRound {
  command: "CorrectRound";
  round_number: number;
  spot: number;
  paid: number;
  rule: string;
  earlier: number | null;
  reason: string;
}

export interface CostData {
  rows: CostRow[];
  total: CostTotal;
  note: string;
  jackpots: MeterCost[];
}

export interface CostRow {
  wager: string;
  title: string;
  stake: number;
  stake_words: string;
  edge: number;
  edge_words: string;
  average: number;
  average_words: string;
}

export interface CostTotal {
  stake: number;
  stake_words: string;
  average: number;
  average_words: string;
}

export interface CountAnswer {
  counts: CountReportData[];
  ten: string;
  indices?: DescribedIndex[];
  insurance_at_count?: number | null;
  command: string;
}

export interface CountReportData {
  rules: string;
  fingerprint: string;
  count: string;
  kind: string;
  tags: TagData[];
  sides: SideCountData[];
  side_gains: SideGainData[];
  insurance_weights: number[];
  betting_correlation: number;
  betting_correlation_of_main_count: number;
  insurance_correlation: number | null;
  insurance_correlation_by_one_sum: number | null;
  playing_efficiency: number | null;
  playing_efficiency_by_one_sum: number | null;
  sampled: SampledData | null;
  side_wagers: SideCorrelation[];
  drift: number;
  start: number;
  scale: string;
  ev: number;
  slope_per_wager: number;
  break_even_at_count: number | null;
  warnings: string[];
}

export interface CurvePoint {
  table: number;
  round: number;
  at: number;
  net: number;
  expected: number;
  deviation: number;
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

export interface CutRecordData {
  seat: number;
  commitment: string;
  value: string | null;
}

/** All cuts are committed and can now be opened. */
export interface CutsListed {
  event: "CutsListed";
}

export interface DealerChecked {
  event: "DealerChecked";
  blackjack: boolean;
}

/** The dealer's current step; it may be an error. */
export interface DealerDeed {
  sentence: string;
  target: DeedTarget | null;
  amount: number | null;
}

export interface DealtRoundData {
  number: number;
  events: RecordEvent[];
}

/** One part of a rule, and the function that implements it. */
export interface DecidingFunction {
  what: string;
  function: string;
}

/** Two people counted a deck and took out its tens and jokers. */
export interface DeckInspected {
  event: "DeckInspected";
  deck: number;
  tens: number;
  jokers: number;
  cards_left: number;
  back: string;
  dealer: string;
  supervisor: string;
}

/** The inspection is complete, and the table may deal. */
export interface DecksShuffled {
  event: "DecksShuffled";
  dealer: string;
  supervisor: string;
}

/** Where the dealer does something: a hand, a wager, or one of the dealer's places. */
export interface DeedTarget {
  at: "hand" | "wager" | "place";
  spot: number;
  hand: number;
  word: string;
}

export interface DepartureData {
  option: string;
  value: string;
  allowed: string;
  rule: string;
  text: string;
}

export interface DescribedIndex {
  hand: string;
  after: string | null;
  bonus: string | null;
  cards: string | null;
  up: string;
  frequency: number;
  usual: string;
  from: TurnData | null;
  below: TurnData | null;
  weights: number[] | null;
  earns_per_wager: number;
  told: IndexWords;
}

export interface Description {
  name: string;
  details: string;
}

export interface DesignAnswer {
  rules: string;
  fingerprint: string;
  games: number;
  analyses: number;
  is_complete: boolean;
  without_sd: number;
  solutions: SolutionData[];
  command: string;
}

export interface DifferenceData {
  field: string;
  part: string;
  first: string;
  second: string;
  rule: string;
}

export interface Document {
  id: string;
  title: string;
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

export interface DoubledRowsData {
  hard: Record<string, string[]>;
  soft: Record<string, string[]>;
}

export interface DownCardExposed {
  event: "DownCardExposed";
  card: number;
}

export interface DrillData {
  hand_words: string;
  up_words: string;
  item_words: string;
  situation: Situation;
  kind: string;
  item: string;
  cell: CellData | null;
  options: Record<string, unknown>[];
  rules: string;
  due: boolean;
}

export interface DrillResult {
  cards: number[];
  up: number;
  asks: "decision" | "insurance" | "blackjack";
  shoe: ValuedData;
  fresh: ValuedData;
  done: ChoiceCost | null;
  item: string;
  box: number;
  due_at: number;
  asked: number;
  missed: number;
  right: boolean;
}

/** Move the table bank's result to the house. */
export interface DropBank {
  command: "DropBank";
  reason: string;
}

export interface EdgeAnswer {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  strategy_class: string;
  base_cents: number | null;
  super_bonus: boolean;
  ev: number;
  house_edge: number;
  wagered: number;
  element_of_risk: number;
  by_up: UpCardResult[];
  sd?: number;
  ev_with_super_bonus?: number;
  vary?: ComparisonLineData[];
  grid?: ComparisonLineData[];
  effects?: ComparisonLineData[];
  hands?: HandResult[];
  command: string;
}

/** The edge so far, for the convergence plot. */
export interface EdgePoint {
  rounds: number;
  ev: number;
  standard_error: number | null;
}

export interface EffectsAnswer {
  rules: string;
  fingerprint: string;
  per: string;
  ten: string;
  wagers: WagerEffects[];
  command: string;
}

/** The reason a shoe ended. */
export type Ending = "cut_card" | "void" | "closed";

/** A source of shoe salts. */
export type EntropySource = "os" | "test";

export interface EntryData {
  version: number;
  at: number;
  actor: string;
  key: string;
  command: Record<string, unknown>;
  told: Description;
  first_event: number;
  events: Record<string, unknown>[];
  postings: PostingData[];
  hash: string | null;
}

/** An invalid entry and the reason; later entries are ignored. */
export interface EntryProblem {
  entry: number;
  sentence: string;
  rules: string[];
}

export interface ErrorChoice {
  kind: string;
  title: string;
  group: string;
}

/** The kinds of errors, as the trainee names them. */
export type ErrorKind = "win-pay" | "blackjack-pay" | "bonus-pay" | "match-pay" | "super-pay" | "jackpot-pay" | "insurance-pay" | "rescue-amount" | "surrender-amount" | "win-taken" | "loss-kept" | "bust-kept" | "push-settled" | "match-result" | "jackpot-result" | "insurance-result" | "deal-order" | "play-order" | "settle-order" | "bets-open" | "peek-missed" | "insurance-missed" | "blackjacks-missed" | "bonus-unpaid" | "floor-missed" | "lock-missed" | "advice-missed" | "expose-missed" | "remove-missed" | "soft-17" | "dealer-draw" | "player-card";

/** Results for one kind of error. */
export interface ErrorResult {
  kind: ErrorKind;
  title: string;
  errors: number;
  caught: number;
  named: number;
  corrected: number;
  milliseconds: number;
}

/** An event as a sentence, the same for everyone. */
export interface EventText {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** What a dealer would say, if it differs from `text`; empty if a dealer wouldn't mention it. */
  talk?: string | null;
  /** Numbers of the rules behind it. */
  rules?: string[];
  /** Whether everyone at the table should notice it. */
  strong?: boolean;
  /** The sentence addressed to each person it concerns, by person. */
  you?: Record<string, EventWords>;
  payment?: Payment | null;
}

export interface EventWords {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** What a dealer would say, if it differs from `text`; empty if a dealer wouldn't mention it. */
  talk?: string | null;
}

/** New events; `n` is the number of the first one. */
export interface EventsMessage {
  type: "events";
  n: number;
  events: (TableOpened | TableClosing | TableClosed | TableFaulted | TableResumed | BankDropped | SeatTaken | SpotsChosen | ChipsBought | ChipsCashedOut | SeatReady | SeatAway | SeatBack | SeatLeaving | SeatLeft | ShoeCommitted | CutCommitted | CutsListed | CutOpened | ShoeCut | ShoeRevealed | ShoeLost | RoundOpened | AskRaised | TimeRanOut | ClocksRestarted | RoundClosed | JackpotLinked | JackpotUnlinked | ReserveRaised | DeckInspected | DecksShuffled | CardsBoxed | AwardHeld | AwardHandPaid | RoundCorrected | AlarmRaised | AlarmAcknowledged | WagersPlaced | WagersWithdrawn | StageReached | MeterRaised | MeterLowered | MetersShown | CardDealt | SupervisorCalled | SupervisorAnswered | PaymentsAuthorized | BonusCardsLocked | BlackjackTaken | BlackjackKept | InsurancePlaced | DealerChecked | HandStood | HandHit | HandDoubled | HandSplit | HandSurrendered | HandRescued | AdviceGiven | DownCardExposed | WagerSettled | HandRemoved | RoundVoided)[];
  /** The sentence for each event; null for none. */
  told: (EventText | null)[];
  /** The felt after each event; null if unchanged. */
  after: (After | null)[];
  /** The round after the last event, with the spots that these events changed. */
  round: RoundData | null;
  ask: AskData | null;
  /** Every seat's chips after the last event. */
  stacks: Record<string, number>;
  /** null if only chips changed. */
  seats: SeatData[] | null;
  /** null if unchanged. */
  shoe: ShoeData | null;
}

/** An exact fraction and the nearest float. */
export interface ExactData {
  exact: string;
  value: number;
}

/** An alarm of the monitor that nobody has acknowledged. */
export interface FloorAlarm {
  number: number;
  finding: string;
  /** The rounds that contributed most. */
  rounds: number[];
}

export interface FloorAlert {
  level: "problem" | "warning";
  about: "table" | "jackpot" | "house";
  /** Number of the table or jackpot. */
  number: number | null;
  text: string;
}

/** A percentage award that must be paid by hand. */
export interface FloorAward {
  table: number;
  table_name: string;
  award: number;
  player: string;
  /** Cents. */
  amount: number;
}

export interface FloorData {
  /** Time of this answer, in milliseconds since 1970. */
  at: number;
  /** The gambling day of the results. */
  day: string;
  drop_cents: number;
  win_cents: number;
  /** Problems first. */
  alerts: FloorAlert[];
  /** Awards to pay by hand, including at closed tables. */
  awards: FloorAward[];
  tables: FloorTable[];
  jackpots: FloorJackpot[];
}

export interface FloorJackpot {
  id: number;
  name: string;
  status: "open" | "suspended" | "removed";
  shown: number;
  reserve: number;
}

export interface FloorPlayer {
  seat: number;
  name: string;
  status: "here" | "away" | "leaving";
  spots: number[];
  /** Chips that aren't bet, in cents. */
  stack: number;
}

export interface FloorTable {
  id: number;
  name: string;
  headline: string;
  /** The preset and its changes. */
  rules: string;
  status: "open" | "closing" | "closed" | "fault";
  /** Whether it is a person's private table. */
  private: boolean;
  /** Number of the latest round. */
  round: number;
  stage: string;
  /** Names of the players who may act now. */
  waiting_for: string[];
  /** Time of the last action, in milliseconds since 1970. */
  since: number;
  /** When the clock runs out; null if none is running. */
  until: number | null;
  /** The command that answers the dealer's call; null if there is none. */
  call: "acknowledge" | "authorize" | null;
  alarms: FloorAlarm[];
  players: FloorPlayer[];
  /** The day's result; null if there was no activity. */
  today: TableFigures | null;
}

export interface FoundEntry {
  book: number;
  kind: string;
  version: number;
  at: number;
  actor: string;
  command: Record<string, unknown>;
  told: Description;
  called: string;
  cents: number;
  moved: MovedMoney[];
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
  /** What its meter and its pay table pay. */
  pays: string;
  /** Share of each wager, in ten-thousandths. */
  meter_rate: number;
  reserve: number;
  /** Share of each wager, in ten-thousandths. */
  reserve_rate: number;
  /** Seed money advanced by the house and not recovered yet. */
  advanced: number;
  advance_limit: number | null;
  /** Seed money that a reset could not provide. */
  missing: number;
}

export interface HandAdvice {
  cards: number[];
  up: number;
  asks: "decision" | "insurance" | "blackjack";
  shoe: ValuedData;
  fresh: ValuedData;
  done: ChoiceCost | null;
  cell: CellData | null;
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

export interface HandOfTheDayData {
  hand_words: string;
  up_words: string;
  item_words: string;
  situation: Situation;
  kind: string;
  item: string;
  cell: CellData | null;
  options: Record<string, unknown>[];
  rules: string;
  advice: AdviceData;
}

export interface HandOnFelt {
  cards: number[];
  total: string;
  wager: number;
  doublings: number;
  status: string;
  on_table: boolean;
  signal: string;
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

/** All deals with these two card values against up cards with one value. */
export interface HandResult {
  hand: string;
  up: string;
  chance: number;
  ev: number;
  wagered: number;
  actions: ActionValue[];
}

/** One action for a hand, together with the query. */
export interface HandRow {
  rules: string;
  fingerprint: string;
  hand: string;
  up: string;
  doublings: number;
  unseen: number;
  strategy_class: string;
  action: string;
  ev: number;
  cost: number;
  why: string;
  command: string;
  insurance_ev?: number;
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
  /** `14`, `soft 17`, `Blackjack`; empty if there are no cards. */
  count: string;
  /** `18 stands`, `20 doubled, stands`, `24 busts`. */
  words: string;
}

/** The first message, due within five seconds; sent again after a gap in `n`. */
export interface Hello {
  type: "hello";
  /** Omit this to watch as a spectator. */
  token?: string | null;
  /** Number of the last event the client has. */
  from?: number | null;
}

export interface HistogramBar {
  result_wagers: number;
  count: number;
}

export interface HistoryRound {
  table: number;
  table_name: string;
  number: number;
  shoe: number;
  outcome: "open" | "closed" | "void";
  at: number;
  spots: number[];
  net: number | null;
  corrected: number;
  dealer: number[];
  hands: PlayedHand[];
  mistakes?: RoundMistake[] | null;
}

export interface Hit {
  command: "Hit";
  spot: number;
}

/** Seats held for clients that disconnected. */
export interface HoldsMessage {
  type: "holds";
  /** When each hold ends; the player is then marked away or cashed out. */
  seats: Record<string, number>;
}

export interface IndexWords {
  hand: string;
  up: string;
  usual: string;
  from: string | null;
  below: string | null;
}

/** Record that two people inspected a deck and took out its tens and jokers. */
export interface InspectDeck {
  command: "InspectDeck";
  deck: number;
  tens: number;
  jokers: number;
  cards_left: number;
  back: string;
  dealer: string;
  supervisor: string;
  reason: string;
}

/** The inspection of a table's decks. */
export interface InspectionData {
  table: number;
  name: string;
  rules: string;
  decks: number;
  inspected: number;
  /** Tens to take out of each deck. */
  tens: number;
  /** Cards left in each deck. */
  cards_left: number;
  /** Empty if there is none. */
  next_step: "inspect" | "shuffle" | "box" | "";
  /** Explains what the table is waiting for. */
  message: string;
  /** The dealer's steps, with their rules. */
  guide: string[];
  steps: InspectionStepData[];
}

/** A recorded step; only inspected decks have counts. */
export interface InspectionStepData {
  event: "DeckInspected" | "DecksShuffled" | "CardsBoxed";
  at: number;
  dealer: string;
  supervisor: string;
  deck?: number | null;
  tens?: number | null;
  jokers?: number | null;
  cards_left?: number | null;
  back?: string | null;
}

export interface InsuranceData {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  up_card: string;
  seen: string;
  win_frequency: ExactData;
  break_even_frequency: ExactData;
  expected_value: ExactData;
  house_edge: ExactData;
  standard_deviation: number;
}

/** Insurance for a spot: any multiple of the unit up to the maximum; 0 declines it. */
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

export interface InvalidRules {
  valid: false;
  rules: string;
  problems: RulesProblem[];
}

export interface JackpotAnswer {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  game: number;
  table: string;
  pay_table: number;
  alternate: number;
  kind: string;
  wager_cents: number;
  prize_for_1_dollar_cents: number | null;
  lines: JackpotLineData[];
  hit_frequency: ExactData;
  fixed_return: ExactData;
  prize_return: ExactData;
  expected_share_of_meter: ExactData;
  printed_house_advantage: ExactData;
  published_house_advantage: string | null;
  break_even_meter_cents: number | null;
  contribution: ExactData;
  house_hold: ExactData;
  at_meter?: MeterReturn;
  strategy_class: string;
  awards: RoundAwardsData | null;
  command: string;
}

export interface JackpotLineData {
  key: string;
  hand: string;
  pay: string;
  frequency: ExactData;
  one_in: number | null;
  per_100000_wagers: number;
  expected_pay_cents: ExactData;
  expected_share_of_meter: ExactData;
}

export interface JackpotLinked {
  event: "JackpotLinked";
  game: number;
  jackpot: number;
  reserve_rate: number;
}

/** Position of a jackpot's meter, with its wager and pay lines. */
export interface JackpotPlace {
  game: number;
  title: string;
  wager: string;
  kind: string;
  x: number;
  y: number;
  width: number;
  height: number;
  pays: PrintedLine[];
}

export interface JackpotReportData {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  game: number;
  table: string;
  pay_table: number;
  alternate: number;
  kind: string;
  wager_cents: number;
  prize_for_1_dollar_cents: number | null;
  lines: JackpotLineData[];
  hit_frequency: ExactData;
  fixed_return: ExactData;
  prize_return: ExactData;
  expected_share_of_meter: ExactData;
  printed_house_advantage: ExactData;
  published_house_advantage: string | null;
  break_even_meter_cents: number | null;
  contribution: ExactData;
  house_hold: ExactData;
}

export interface JackpotTableData {
  table: string;
  words: string;
  decks: number[];
  pay_tables: number[];
  pay_table_words: string[];
  alternates: number[];
  document: string;
  rule: string;
}

export interface JackpotUnlinked {
  event: "JackpotUnlinked";
  game: number;
  jackpot: number;
}

export interface JobData {
  id: string;
  state: JobState;
  settings: SimulationSettings;
  rounds: number;
  until: number;
  progress: ProgressData | null;
  problem: string | null;
}

/** State of a simulation or audit; audits are never stopped, only canceled. */
export type JobState = "running" | "interrupted" | "stopped" | "done" | "cancelled" | "failed";

/** A class you have joined; its trainer sees your lessons since then. */
export interface JoinedClass {
  id: number;
  name: string;
  trainer: string;
}

/** Keep the blackjack and double it when its turn comes. */
export interface KeepBlackjack {
  command: "KeepBlackjack";
  spot: number;
}

/** Results for one kind of step. */
export interface KindResult {
  kind: StepKind;
  title: string;
  steps: number;
  right: number;
  milliseconds: number;
}

export interface KindSummary {
  kind: string;
  decisions: number;
  wrong: number;
  cents: number;
}

/** Everything printed on the felt. */
export interface Layout {
  rules: string;
  fingerprint: string;
  width: number;
  height: number;
  edge: number;
  middle: number;
  name: PrintedName;
  arcs: Arc[];
  blocks: Block[];
  cards: CardPlace[];
  spots: SpotPlace[];
  jackpots: JackpotPlace[];
}

export interface LeaveSeat {
  command: "LeaveSeat";
}

export interface LedgerData {
  lines: LedgerLine[];
  /** Always 0. */
  sum: number;
}

/** The total of all accounts of one kind. */
export interface LedgerLine {
  kind: string;
  meaning: string;
  accounts: number;
  cents: number;
}

export interface LegendLine {
  sign: string;
  words: string;
}

export type LessonKind = "guided" | "practice" | "exam" | "catch" | "payouts";

/** A lesson in a list of results. */
export interface LessonLine {
  id: number;
  kind: LessonKind;
  level: string;
  rules: string;
  begun_at: number;
  changed_at: number;
  done: boolean;
  rounds: number;
  steps: number;
  correct: number;
  milliseconds: number;
  score: number | null;
  passed: boolean | null;
}

export interface LessonResultData {
  level: string;
  title: string;
  rules: string;
  table: string;
  fingerprint: string;
  seed: number;
  exam: boolean;
  supervisor: "off" | "required";
  name: string;
  day: string;
  rounds: number;
  rounds_in_all: number | null;
  complete: boolean;
  steps: number;
  right: number;
  accuracy: number;
  milliseconds: number;
  score: number;
  pass_percent: number;
  passed: boolean | null;
  kinds: KindResult[];
  mistakes: Mistake[];
}

export interface LessonRoundData {
  level: string;
  title: string;
  rules: string;
  table: string;
  seed: number | null;
  exam: boolean;
  round: number;
  rounds: number | null;
  steps: number;
  done: number;
  right: number;
  misses: number;
  over: boolean;
  lesson: string;
  verdict: Verdict | null;
  felt: TrainingFelt;
  lines: string[];
  buttons: StepButton[];
  seconds: number;
  hint: StepHint | null;
}

export interface LevelData {
  id: string;
  title: string;
  about: string;
  rules: string;
  table: string;
  spots: number;
  rounds: number;
  exam_rounds: number;
  seconds: number;
  teaches: string[];
}

export interface LimitData {
  profile: string;
  title: string;
  effective_from: string | null;
  maximum_wager: string | null;
  source: string;
}

/** Cents in any 24 hours at all tables; None means no limit. */
export interface Limits {
  deposit?: number | null;
  loss?: number | null;
  wager?: number | null;
}

export type LineKind = "pay" | "part" | "note";

/** Link a table's jackpot game to a progressive. */
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
  /** Number of the UTC day; each day has its own hand of the day. */
  day: number;
}

export interface LobbyMeter {
  id: number;
  name: string;
  status: "open" | "suspended" | "removed";
  /** Cents. */
  shown: number;
  wager: number;
  tables: number[];
  /** Average result of a $1 wager at the current meter; negative for a loss. */
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
  /** Number of bots; they sit down when a player does. */
  bots: number;
  round: number;
  /** Whether a round is in progress. */
  is_open: boolean;
  /** Whether this is your private table; nobody else sees it here. */
  own: boolean;
}

export interface MatchData {
  configuration: number;
  wagers: string[];
  unsuited: string;
  suited: string;
  published_win_frequency: string;
  published_house_advantage: string;
  rule: string;
}

export interface MatchOddsData {
  unsuited: number;
  suited: number;
}

export interface MatchOutcomeData {
  outcome: string;
  suited: number;
  unsuited: number;
  profit_per_wager: number;
  probability: ExactData;
}

export interface MatchProfitData {
  profit_cents: number;
  probability: ExactData;
}

export interface MatchWagerData {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  odds: MatchOddsData;
  outcomes: MatchOutcomeData[];
  win_frequency: ExactData;
  house_edge: ExactData;
  variance: ExactData;
  standard_deviation: number;
}

export interface MatchWagersData {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  stakes_cents: Record<string, number>;
  win_frequency: ExactData;
  profit_frequency: ExactData;
  expected_profit_cents: ExactData;
  house_edge: ExactData;
  variance_square_cents: ExactData;
  standard_deviation_cents: number;
  correlation_of_two: ExactData | null;
  distribution: MatchProfitData[];
}

/** Text for people, with cards as symbols. */
export interface MessageText {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
}

/** The display of a progressive at a past moment. */
export interface MeterAt {
  jackpot: number;
  at: number;
  shown_cents: number;
  maximum_cents: number | null;
}

export interface MeterAward {
  at: number;
  cents: number;
  /** The table that paid it. */
  table: number;
}

/** A jackpot's meter compared with break-even. */
export interface MeterCost {
  game: number;
  title: string;
  wager: number;
  meter: number;
  meter_words: string;
  light: boolean;
  light_words: string;
  break_even: number | null;
  break_even_words: string;
  share: number | null;
  share_words: string;
  chance_words: string;
}

/** The display of a progressive over time. */
export interface MeterHistory {
  jackpot: number;
  /** At equal intervals, oldest first. */
  points: ventiuna__server__routers__jackpots__MeterPoint[];
  awards: MeterAward[];
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

export interface MeterOnFelt {
  game: number;
  cents: number;
  wager: number;
}

/** A contribution or seed money; `remainder` is in ten-thousandths of a cent. */
export interface MeterRaised {
  event: "MeterRaised";
  game: number;
  amount: number;
  remainder: number;
  reason: string;
}

export interface MeterReturn {
  meter_cents: number;
  return: ExactData;
  house_edge: ExactData;
  standard_deviation: number;
}

/** Meter readings of these games, on which awards are based. A meter that other tables also feed may show more than this round's own sum. */
export interface MetersShown {
  event: "MetersShown";
  meters: Partial<Record<"1" | "2", number>>;
}

/** A step missed on the first attempt. */
export interface Mistake {
  round: number;
  step: string;
  fault: StepFault;
  misses: number;
  rules: string[];
  rule: string;
  amount: string;
  instead: string;
  order: string;
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

export interface MovedMoney {
  from: string;
  to: string;
  cents: number;
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
  awards: PaidAward[];
}

export interface NewClass {
  name: string;
}

/** A lesson to record. The server chooses the seed. */
export interface NewLesson {
  level: string;
  kind?: LessonKind;
  /** Defaults to the level's rules. */
  rules?: string;
  /** Whether a floor person must watch third cards and authorize payments. */
  supervisor?: "off" | "required";
}

export interface NewTable {
  reason: string;
  name: string;
  /** A preset, optionally with changes. */
  rules: string;
  /** Milliseconds for each clock that differs from the default. */
  clocks?: Record<string, number>;
  /** Progressives to feed, by game; an omitted game gets its own progressive. */
  jackpots?: Record<string, number>;
  /** Whether two people inspect the decks before the deal. */
  inspection?: "off" | "required";
  /** Whether a floor person watches third cards and authorizes payments. */
  supervisor?: "off" | "required";
  /** Whether percentage awards are paid by hand. */
  hand_pay?: "off" | "required";
}

/** What you do next. In a lesson or exam, an empty `text` asks for the answer. */
export interface NextMove {
  /** The round in play. */
  round: number;
  /** Steps sent in this round so far. */
  at: number;
  /** A step, or the amount in a payout drill. */
  text?: string;
  /** Catch the error: stop the dealer. */
  stop?: boolean;
  error?: ErrorKind | null;
  instead?: string;
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

export interface OptionData {
  name: string;
  kind: "choice" | "flag" | "number" | "money" | "odds" | "names" | "text" | "name" | "rule" | "ranks" | "suits" | "up" | "decks" | "range" | "contribution";
  meaning: string;
  rules: string[];
  values: ChoiceData[];
  low: number | null;
  high: number | null;
  default: string;
  how: string;
  affects_edge: boolean;
  presets: OptionInPreset[];
}

export interface OptionInPreset {
  value: string;
  words: string;
  preset: string;
  standing: string;
  allowed: string[];
}

export interface OptionsData {
  parts: OptionsPart[];
  jackpot_tables: JackpotTableData[];
}

export interface OptionsPart {
  name: string;
  options: OptionData[];
}

export interface OwnTable {
  /** A preset, optionally with changes. */
  rules: string;
  /** Defaults to the owner's name. */
  name?: string;
  /** Number of bots. */
  bots?: number;
  /** The bots' strategy. */
  strategy?: string;
}

/** The cards in one deck. */
export type Pack = "spanish" | "standard";

/** An award paid from the meter. */
export interface PaidAward {
  player: string;
  round: number;
  cents: number;
  /** Whether it is paid by hand, away from the table. */
  hand_pay: boolean;
}

export interface PaidOnFelt {
  wager: string;
  title: string;
  hand: number;
  net: number;
  odds: string;
  rule: string;
  reason: string;
}

/** Pay a percentage award by hand, away from the table, to the player's wallet. */
export interface PayByHand {
  command: "PayByHand";
  award: number;
  reason: string;
}

export interface PayData {
  hand: string;
  pays: string;
}

export interface PayRowData {
  name: string;
  pays: string;
  cards: string;
  total: string;
  ranks: string;
  suits: string;
  after_split: boolean;
  rule: string;
}

/** A settled wager, for the label next to its chips. */
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
  /** Signed amount, or `push`. */
  amount: string;
}

/** The Super Bonus, Envy Bonuses and percentage awards of the round may be paid. */
export interface PaymentsAuthorized {
  event: "PaymentsAuthorized";
  by: Authority;
}

/** One answer; every question has one try. */
export interface PayoutAnswer {
  question: string;
  right: boolean;
  given: number;
  amount: number;
  explanation: string;
  rules: string[];
  rule: string;
  milliseconds: number;
}

export interface PayoutDrillData {
  level: string;
  title: string;
  rules: string;
  table: string;
  questions: number;
  done: number;
  right: number;
  seconds: number;
  over: boolean;
  corrected: boolean;
  question: PayoutQuestionData | null;
  last: PayoutAnswer | null;
}

export interface PayoutQuestionData {
  sentence: string;
  verb: string;
  stake: number;
  odds: string;
}

export interface PayoutResultData {
  level: string;
  title: string;
  rules: string;
  table: string;
  fingerprint: string;
  seed: number;
  name: string;
  day: string;
  questions: number;
  answered: number;
  right: number;
  milliseconds: number;
  score: number;
  answers: PayoutAnswer[];
}

export interface Percentile {
  percent: number;
  result_wagers: number;
  standard_error_wagers: number | null;
}

export interface Person {
  id: number;
  name: string;
  kind: PersonKind;
  role: Role;
}

export type PersonKind = "guest" | "registered";

export interface PersonLine {
  id: number;
  name: string;
  kind: PersonKind;
  role: Role;
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

export interface PlayedHand {
  spot: number;
  cards: number[];
  doubled: boolean;
  stake: number;
  net: number;
  result: string;
}

/** The figures that can be plotted while a simulation is running. */
export interface PlottedData {
  house_edge: number;
  sd: number;
  histogram: HistogramBar[];
  sessions: SessionsData | null;
  convergence: EdgePoint[];
}

export interface PlottedJob {
  id: string;
  state: JobState;
  settings: SimulationSettings;
  rounds: number;
  until: number;
  progress: ProgressData | null;
  problem: string | null;
  first: EdgePoint[];
  so_far: PlottedData | null;
}

export interface PostingData {
  code: string;
  from: string;
  to: string;
  from_told: string;
  to_told: string;
  meaning: string;
  cents: number;
  round: number | null;
  spot: number | null;
  reason: string | null;
}

export interface PresetLine {
  name: string;
  variants: VariantData[];
  title: string;
  document: string;
  revision: number;
  game: string;
  decks: number;
  fingerprint: string;
  decides_like: string[];
}

/** One line of a block. A long hand takes several, with the payout on the last. */
export interface PrintedLine {
  kind: LineKind;
  words: string;
  pays: string;
}

/** The name of the game, in the center. */
export interface PrintedName {
  words: string;
  x: number;
  y: number;
  size: number;
}

/** The format used for every error response. */
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

export interface ProcedureData {
  rules: string;
  fingerprint: string;
  decides_like: string[];
  preset: string;
  title: string;
  document: string;
  revision: number;
  game: string;
  warnings: string[];
  departures: DepartureData[];
  steps: ProcedureStep[];
  notices: string[];
}

export interface ProcedureStep {
  number: number;
  stage: string;
  heading: string;
  text: string;
  rules: string[];
  borrowed: BorrowedStep[];
  source: string;
}

export interface ProgressData {
  rounds: number;
  target: number;
  seconds: number;
  rate: number;
  ev: number;
  standard_error: number | null;
}

export interface PromptText {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** The prompt without the possible actions. */
  short?: string;
}

/** Finish betting or decline the cut; the table doesn't wait for this seat. */
export interface Ready {
  command: "Ready";
}

export interface RecordData {
  format: string;
  recipe: string;
  engine: number;
  source: EntropySource;
  context: ContextData;
  commitment: string;
  cuts: CutRecordData[];
  mix: string;
  seed: string;
  rounds: DealtRoundData[];
  ended: Ending;
}

/** An event that moved cards, with the fields that apply to it. */
export interface RecordEvent {
  event: string;
  card?: number | null;
  place?: string;
  spot?: number;
  hand?: number;
  stage?: string;
  reason?: string;
}

/** A recorded lesson: the round in play, or the result once it is finished. `sent` is the number of steps sent in this round so far. */
export interface RecordedLessonData {
  lesson: LessonLine;
  number: number;
  sent: number;
  play?: LessonRoundData | null;
  catch?: CatchRoundData | null;
  payouts?: PayoutDrillData | null;
  result?: LessonResultData | null;
  caught?: CatchResultData | null;
  paid?: PayoutResultData | null;
}

/** The command changed nothing. */
export interface RefusedMessage {
  type: "refused";
  key: string;
  code: string;
  reason: string;
  rules: string[];
}

/** A finished round, as the socket sent it. */
export interface ReplayData {
  table: number;
  round: number;
  shoe: number;
  outcome: "open" | "closed" | "void";
  at: number;
  shoe_ended: boolean;
  snapshot: Snapshot;
  steps: ReplayStep[];
}

export interface ReplayStep {
  n: number;
  at: number;
  event: TableOpened | TableClosing | TableClosed | TableFaulted | TableResumed | BankDropped | SeatTaken | SpotsChosen | ChipsBought | ChipsCashedOut | SeatReady | SeatAway | SeatBack | SeatLeaving | SeatLeft | ShoeCommitted | CutCommitted | CutsListed | CutOpened | ShoeCut | ShoeRevealed | ShoeLost | RoundOpened | AskRaised | TimeRanOut | ClocksRestarted | RoundClosed | JackpotLinked | JackpotUnlinked | ReserveRaised | DeckInspected | DecksShuffled | CardsBoxed | AwardHeld | AwardHandPaid | RoundCorrected | AlarmRaised | AlarmAcknowledged | WagersPlaced | WagersWithdrawn | StageReached | MeterRaised | MeterLowered | MetersShown | CardDealt | SupervisorCalled | SupervisorAnswered | PaymentsAuthorized | BonusCardsLocked | BlackjackTaken | BlackjackKept | InsurancePlaced | DealerChecked | HandStood | HandHit | HandDoubled | HandSplit | HandSurrendered | HandRescued | AdviceGiven | DownCardExposed | WagerSettled | HandRemoved | RoundVoided;
  /** Position among the round's game events; null for the table's own events. */
  position: number | null;
  told: EventText | null;
  after: After | null;
  /** null if unchanged. */
  shoe: ShoeData | null;
}

export interface ReportData {
  house: string;
  day: string;
  last_day: string;
  from: number;
  to: number;
  rounds: number;
  drop_cents: number;
  win_cents: number;
  hold: number | null;
  columns: ColumnData[];
  tables: ReportTable[];
  meters: ReportMeter[];
  assumed: string;
  seal: SealHash | null;
}

/** Amounts at the start and at the end of the day. */
export interface ReportMeter {
  jackpot: number;
  name: string;
  meter_cents: [number, number];
  reserve_cents: [number, number];
  movements: ReportMovement[];
}

export interface ReportMovement {
  account: string;
  code: string;
  reason: string | null;
  amount_cents: number;
}

export interface ReportTable {
  table: number;
  name: string;
  headline: string;
  preset: string;
  rules: string;
  fingerprint: string;
  rounds: number;
  void: number;
  drop_cents: number;
  cashed_out_cents: number;
  to_house_cents: number;
  corrected_cents: number;
  win_cents: number;
  hold: number | null;
  expected_cents: number | null;
  low_cents: number | null;
  high_cents: number | null;
  outlier: boolean;
  alarm: boolean;
  wagers: ReportWager[];
}

export interface ReportWager {
  wager: string;
  placed: number;
  staked_cents: number;
  win_cents: number;
  hold: number | null;
  expected_cents: number | null;
  low_cents: number | null;
  high_cents: number | null;
  outlier: boolean;
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

/** The house's and your own limits in cents for any 24 hours, and the end of a self-exclusion. `later` holds your own limits from `later_at` on, which is 0 if no higher ones are pending. */
export interface RestrictionData {
  blocked: boolean;
  excluded_until: number;
  house: Limits;
  own: Limits;
  later: Limits;
  later_at: number;
}

export interface ResultAtCount {
  at_count: number;
  rounds: number;
  ev: number;
  standard_error: number | null;
  sd: number;
}

/** Resume a table after an internal error. */
export interface ResumeTable {
  command: "ResumeTable";
  reason: string;
}

/** A person's role; guests are players without a password. */
export type Role = "player" | "floor" | "operator" | "auditor" | "owner";

export interface RoundAwardsData {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  game: number;
  players: number;
  meter_cents: number | null;
  expected_awards: ExactData;
  several_awards: ExactData;
  seats: SeatAwardsData[];
}

/** The round was finished or voided; its last event says which. */
export interface RoundClosed {
  event: "RoundClosed";
  number: number;
}

/** A closed round paid a spot the wrong amount; the difference moved to or from the wallet. The amounts include returned stakes, and exclude jackpots. The event's number in the book identifies the correction. */
export interface RoundCorrected {
  event: "RoundCorrected";
  round_number: number;
  spot: number;
  person: string;
  staked: number;
  paid_before: number;
  paid: number;
  rule: string;
  reason: string;
  earlier?: number;
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

/** A round as a list shows it. */
export interface RoundLine {
  number: number;
  outcome: "open" | "closed" | "void";
  at: number;
}

/** A decision for which another choice was better. */
export interface RoundMistake {
  event: number;
  cards: number[];
  up: number;
  done: string;
  best: string;
  cost: number;
  cents: number;
}

/** Betting is open; records the meter readings and this table's fractions of a cent. */
export interface RoundOpened {
  event: "RoundOpened";
  number: number;
  shoe: number;
  meters: Partial<Record<"1" | "2", number>>;
  remainders: Partial<Record<"1" | "2", number>>;
  supervised?: boolean;
}

/** All wagers are refunded and all payments returned; meters retain their contributions. */
export interface RoundVoided {
  event: "RoundVoided";
  reason: string;
}

export interface RuinData {
  bankroll_wagers: number;
  probability: number;
  standard_error: number | null;
}

export interface RuleCardData {
  game: string;
  title: string;
  rules: string;
  fingerprint: string;
  sections: CardSectionData[];
  notices: string[];
  departures: string[];
  who_decides: string[];
  statement: string;
}

/** A rule number with its full text. */
export interface RuleReference {
  number: string;
  section: string;
  title: string;
  text: string;
  built: string;
  documents: Document[];
  clauses: Clause[];
  mentions: string[];
  decided: DecidingFunction[];
  no_money: string;
  options: string[];
}

export interface RulesComparison {
  first: RulesIdentity;
  second: RulesIdentity;
  decide_alike: boolean;
  differences: DifferenceData[];
  documents: DifferenceData[];
}

export interface RulesIdentity {
  rules: string;
  fingerprint: string;
  decides_like: string[];
  preset: string;
  title: string;
  document: string;
  revision: number;
  game: string;
}

export interface RulesProblem {
  field: string;
  value: string;
  rule: string;
  message: string;
  fix: string;
  text: string;
}

export interface SampledData {
  playing_efficiency: number;
  standard_error: number;
  gain_by_count_per_wager: number;
  gain_by_count_standard_error: number;
  gain_of_perfect_play_per_wager: number;
  gain_of_perfect_play_standard_error: number;
  shoes: number;
  seed: number;
}

export interface SatDown {
  table: number;
  seat: number;
}

/** An event during or after the most recent round. */
export interface SceneStep {
  event: TableOpened | TableClosing | TableClosed | TableFaulted | TableResumed | BankDropped | SeatTaken | SpotsChosen | ChipsBought | ChipsCashedOut | SeatReady | SeatAway | SeatBack | SeatLeaving | SeatLeft | ShoeCommitted | CutCommitted | CutsListed | CutOpened | ShoeCut | ShoeRevealed | ShoeLost | RoundOpened | AskRaised | TimeRanOut | ClocksRestarted | RoundClosed | JackpotLinked | JackpotUnlinked | ReserveRaised | DeckInspected | DecksShuffled | CardsBoxed | AwardHeld | AwardHandPaid | RoundCorrected | AlarmRaised | AlarmAcknowledged | WagersPlaced | WagersWithdrawn | StageReached | MeterRaised | MeterLowered | MetersShown | CardDealt | SupervisorCalled | SupervisorAnswered | PaymentsAuthorized | BonusCardsLocked | BlackjackTaken | BlackjackKept | InsurancePlaced | DealerChecked | HandStood | HandHit | HandDoubled | HandSplit | HandSurrendered | HandRescued | AdviceGiven | DownCardExposed | WagerSettled | HandRemoved | RoundVoided;
  /** For payments and advice. */
  told: EventText | null;
  after: After | null;
}

/** One hash over all of the house's books; anyone who keeps it can detect rewritten books. */
export interface SealData {
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  heads: string;
  previous: string;
  hash: string;
}

export interface SealHash {
  number: number;
  hash: string;
}

export interface SeatAwardsData {
  seat: number;
  award_frequency: ExactData;
  expected_share_of_meter: ExactData;
  expected_award_cents: ExactData | null;
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

/** A person's chips at a table. */
export interface SeatLine {
  table: number;
  seat: number;
  status: string;
  stack: number;
}

/** The seat is done with the current prompt; the deal or cut doesn't wait for this seat. */
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

/** The access token is for the `Authorization: Bearer` header and a socket's hello. The refresh token gets new tokens and works only once. Times are in milliseconds since 1970. */
export interface SessionData {
  person: Person;
  tokens: Tokens;
}

export interface SessionDecision {
  event: number;
  spot: number;
  hand: number;
  cards: number[];
  up: number;
  doublings: number;
  hands: number;
  insurance: boolean;
  kind: string;
  item: string;
  done: string;
  best: string;
  cost: number;
  cents: number;
  valued: ValuedData | null;
  cell: CellData | null;
  hand_words: string;
  up_words: string;
  item_words: string;
  table: number;
  table_name: string;
  round: number;
}

export interface SessionReview {
  rounds: number;
  pending: number;
  spread_pending: boolean;
  base: number;
  net: number;
  house_edge: number;
  mistakes: number;
  luck: number;
  shown: WholeCents;
  luck_deviation: number | null;
  mistakes_deviation: number;
  decisions: number;
  wrong: number;
  close: number;
  worst: SessionDecision[];
  kinds: KindSummary[];
  curve: CurvePoint[];
  assumes: string;
}

export interface SessionsData {
  length: number;
  sessions: number;
  mean_wagers: number;
  standard_error_wagers: number | null;
  sd_wagers: number;
  results: [number, number][];
  percentiles: Percentile[];
  ruin: RuinData[];
  mean_longest_losing_run: number;
  mean_longest_losing_run_standard_error: number | null;
  longest_losing_run: [number, number][];
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

/** The shoe in play, and what is known about the next one. */
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

/** A shoe's public data, before and after it ends. */
export interface ShoeLine {
  number: number;
  state: "committed" | "in_play" | "ended" | "unused";
  commitment: string;
  source: EntropySource;
}

/** The shoe ended, and nobody can verify it because the key behind its commitment is lost. */
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

export interface ShownOption {
  name: string;
  value: string | number | boolean;
  meaning: string;
  standing: string;
  allowed: string[];
  departs: boolean;
  our_reading: string | null;
  sources: string[];
}

export interface ShownRules {
  rules: string;
  fingerprint: string;
  decides_like: string[];
  preset: string;
  title: string;
  document: string;
  revision: number;
  game: string;
  warnings: string[];
  departures: DepartureData[];
  options: ShownOption[];
  bonus_21: PayRowData[];
  instant_wins: PayRowData[];
  super_bonus: SuperBonusData | null;
  match_the_dealer: MatchData | null;
  jackpots: Record<string, unknown>[];
  limit: LimitData;
  notices: string[];
}

/** Record that the dealer shuffled the inspected decks; after that, the table may deal. */
export interface ShuffleDecks {
  command: "ShuffleDecks";
  dealer: string;
  supervisor: string;
  reason: string;
}

/** A side bet as entered after the base wager; a jackpot's amount is fixed. */
export interface SideBetEntry {
  word: string;
  title: string;
  fixed: number | null;
}

export interface SideBetsAnswer {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  strategy_class: string;
  match_the_dealer: MatchWagerData | null;
  match_the_dealer_together: MatchWagersData | null;
  super_bonus: SuperBonusReportData[];
  insurance: InsuranceData[];
  blackjacks: BlackjacksData;
  jackpots: JackpotReportData[];
  command: string;
}

export interface SideCorrelation {
  wager: string;
  correlation: number | null;
}

export interface SideCountData {
  name: string;
  weight: number;
  start: number;
  tags: TagData[];
}

export interface SideGainData {
  side_count: string;
  betting_correlation_gain: number;
  insurance_correlation_gain: number | null;
  playing_efficiency_gain: number | null;
}

export interface SimulatedAward {
  line: string;
  hits: number;
  paid_cents: number;
  average_cents: number | null;
  standard_error_cents: number | null;
}

export interface SimulatedEvent {
  name: string;
  count: number;
  frequency: number;
  standard_error: number | null;
  pay_per_wager: number | null;
}

export interface SimulatedMeter {
  game: number;
  table: string;
  lines: SimulatedAward[];
  resets: number;
  highest_cents: number;
  seeded_cents: number;
  last_cents: number;
  history: ventiuna__simulation__result__MeterPoint[];
}

export interface SimulatedWager {
  name: string;
  placed: number;
  staked_cents: number;
  net_cents: number;
  per: string;
  ev: number;
  standard_error: number | null;
  sd: number;
}

export interface SimulationChoices {
  strategies: string[];
  counts: string[];
  shoes: string[];
  most_rounds: number;
  longest_session: number;
}

/** A finished simulation on the server. */
export interface SimulationData {
  rules: string;
  fingerprint: string;
  strategy: string;
  shoe: string;
  misfit?: string;
  rounds: number;
  spots: number;
  seed: number;
  ev: number;
  standard_error: number | null;
  standard_error_by_blocks: number | null;
  sd: number;
  sd_standard_error: number | null;
  house_edge: number;
  element_of_risk: number;
  element_of_risk_standard_error: number | null;
  average_base_wager: number;
  average_base_wager_standard_error: number | null;
  average_stake: number;
  average_stake_standard_error: number | null;
  total_ev: number;
  total_standard_error: number | null;
  total_sd: number;
  n0: number | null;
  n0_standard_error: number | null;
  total_n0: number | null;
  total_n0_standard_error: number | null;
  complete: boolean;
  base_wager_cents: number;
  digest: string;
  blocks: number;
  void_rounds: number;
  shuffles: number;
  cards_dealt: number;
  wagers: SimulatedWager[];
  events: SimulatedEvent[];
  histogram: HistogramBar[];
  by_count: ResultAtCount[];
  covariance: number[][];
  covariance_standard_error: number | null;
  meters: SimulatedMeter[];
  sessions: SessionsData | null;
  convergence: EdgePoint[];
  workers: string;
  command: string;
}

/** One simulation, as text and numbers that can be stored as JSON. The limits apply to requests. Command lines and files skip them, because `plan` checks everything and explains problems in our own words. */
export interface SimulationSettings {
  rules: string;
  strategy: string;
  spots: number;
  /** Dollars; defaults to the table minimum. */
  base: string;
  side: string;
  shoe: string;
  errors: string;
  count: string;
  session: number;
  meter: string;
  seed: number;
}

/** A hand before a decision; the last `doublings` of its cards were drawn by doubling. */
export interface Situation {
  cards: number[];
  up: number;
  doublings: number;
  insurance: boolean;
  hands: number;
  hand: number;
}

export interface Snapshot {
  n: number;
  table: TableData;
  seats: SeatData[];
  shoe: ShoeData;
  round: RoundData | null;
  ask: AskData | null;
  type: "snapshot";
  /** The last lines of the log. */
  story: TimelineEvent[];
  /** The events that produced the current felt. */
  scene: SceneStep[];
}

export interface SolutionData {
  rules: string;
  fingerprint: string;
  pays: Record<string, string>;
  changes: string[];
  departures: string[];
  house_edge: number;
  win_per_hour_cents?: number;
  hands_per_hour?: number;
  hits_per_round?: number;
  bonus_hits_per_round?: number;
  sd?: number;
  on_front: boolean;
  file: string | null;
}

export interface Split {
  command: "Split";
  spot: number;
}

export interface SpotBonusesData {
  person: string;
  base_cents: number;
  super_bonus_cents: number;
  win_frequency: ExactData;
  envy_frequency: ExactData;
  expected_super_bonus_cents: ExactData;
  expected_envy_cents: ExactData;
  share_of_base: ExactData;
}

export interface SpotOnFelt {
  number: number;
  name: string;
  base: number;
  hands: HandOnFelt[];
  wagers: WagerOnFelt[];
  bonuses: BonusOnFelt[];
  paid: PaidOnFelt[];
}

/** A betting spot; `x, y` is the center of its lower edge. */
export interface SpotPlace {
  number: number;
  x: number;
  y: number;
  wagers: WagerPlace[];
}

export interface SpotTotal {
  spot: number;
  net: number;
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

export interface StepButton {
  kind: string;
  title: string;
  key: string;
  word: string;
  aims: "" | "place" | "wager" | "hand" | "spot";
  amount: boolean;
}

/** A learner's step, as `text` or in parts; omit both to ask for the answer. */
export interface StepDone {
  text?: string;
  kind?: StepKind | null;
  spot?: number;
  /** Counted from 0; for a Bonus Card, its number minus one. */
  hand?: number;
  place?: Place | null;
  wager?: Wager | null;
  /** In cents; if omitted with take, the whole wager. */
  amount?: number | null;
  /** Time taken, in milliseconds. */
  ms?: number;
}

/** The first fault in a step, checked in this order. */
export type StepFault = "kind" | "spot" | "hand" | "wager" | "place" | "amount" | "shown";

/** The next step, for a guided lesson: what to do, where, with which button, and why. */
export interface StepHint {
  sentence: string;
  kind: string;
  target: DeedTarget | null;
  amount: number | null;
  calculation: string;
  rules: string[];
  rule: string;
}

/** The kinds of steps, in the order a round may first need them. */
export type StepKind = "close" | "card" | "pay" | "take" | "push" | "lock" | "supervisor" | "wait" | "blackjacks" | "insurance" | "remove" | "check" | "advise" | "ask" | "expose" | "collect";

export interface StrategyAnswer {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  strategy_class: string;
  optimal_strategy_class: string;
  base_cents: number | null;
  super_bonus: boolean;
  ev: number;
  house_edge: number;
  wagered: number;
  optimal_ev: number;
  cost: number;
  cost_points: number;
  signs: number;
  misfit: string | null;
  chart: ChartData;
  page: ChartPage;
  super_bonus_marks: SuperMark[];
  worst: WorstCell[];
  command: string;
}

/** The records that operators change; also the first part of the commands' routes. */
export type Subject = "tables" | "jackpots" | "persons";

export interface SuperBonusData {
  hand: string;
  rule: string;
  pays: PayData[];
  envy: string;
  envy_amount: string;
}

export interface SuperBonusReportData {
  rules: string;
  fingerprint: string;
  cards: number;
  fresh_shoe: boolean;
  hand: string;
  up_card: string;
  assumption: string;
  event: ExactData;
  event_one_in: number | null;
  winners_in_a_round: ExactData[];
  spots: SpotBonusesData[];
}

/** A pair and an up card for which the Super Bonus is still possible. */
export interface SuperMark {
  pair: number;
  column: number;
  lowest: number;
  highest: number;
}

/** Play continues; the third card is watched unless the house answered the call. */
export interface SupervisorAnswered {
  event: "SupervisorAnswered";
  by: Authority;
}

/** Two qualifying 7s and the up card: the supervisor watches the third card. */
export interface SupervisorCalled {
  event: "SupervisorCalled";
  spot: number;
}

export interface Surrender {
  command: "Surrender";
  spot: number;
}

/** A table at a past moment, as anyone could see it. */
export interface TableAt {
  table: number;
  /** Number of the last entry in its book. */
  version: number;
  at: number;
  /** Time of that entry. */
  written_at: number;
  bank_cents: number;
  /** Chips on the layout. */
  stake_cents: number;
  snapshot: Snapshot;
}

export interface TableClosed {
  event: "TableClosed";
}

/** No new round starts; the open one is played to the end. */
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
  /** The same for all rules that play alike. */
  fingerprint: string;
  game: string;
  /** The rules in one line. */
  headline: string;
  limits: string;
  status: "open" | "closing" | "closed" | "fault";
  seats: number;
  /** Jackpot numbers by game. */
  jackpots: Record<string, number>;
  /** Why the table can't deal yet; null if it can. */
  waits: string | null;
}

/** Play stops until an operator voids the round or resumes the table. */
export interface TableFaulted {
  event: "TableFaulted";
  reason: string;
}

/** A table's line without its wagers. */
export interface TableFigures {
  table: number;
  name: string;
  headline: string;
  preset: string;
  rules: string;
  fingerprint: string;
  rounds: number;
  void: number;
  drop_cents: number;
  cashed_out_cents: number;
  to_house_cents: number;
  corrected_cents: number;
  win_cents: number;
  hold: number | null;
  expected_cents: number | null;
  low_cents: number | null;
  high_cents: number | null;
  outlier: boolean;
  alarm: boolean;
}

/** A table in the lobby. */
export interface TableLine {
  id: number;
  name: string;
  headline: string;
  /** The preset or file. */
  rules: string;
  /** The rules with any changes. */
  canonical: string;
  /** Identical for all rules that play alike. */
  fingerprint: string;
  status: string;
  /** Number of taken seats. */
  seats: number;
  /** Whether two people inspect its decks. */
  inspection: boolean;
  /** What operator commands may need. */
  has: ("jackpot" | "open_round" | "closed_round")[];
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

export interface TableRounds {
  /** Newest first. */
  rounds: number[];
  /** The same rounds with their outcomes and times. */
  lines: RoundLine[];
}

/** The whole table after event `n`. */
export interface TableView {
  n: number;
  table: TableData;
  seats: SeatData[];
  shoe: ShoeData;
  round: RoundData | null;
  ask: AskData | null;
}

export interface TagData {
  card: string;
  tag: number;
}

/** Take the payment for the blackjack. */
export interface TakeBlackjack {
  command: "TakeBlackjack";
  spot: number;
}

/** Sit down; the seat plays the spot with the same number until its player chooses others. */
export interface TakeSeat {
  command: "TakeSeat";
  seat: number;
}

/** A class of yours; trainees join with its code. */
export interface TaughtClass {
  id: number;
  code: string;
  name: string;
  trainer: number;
  created_at: number;
  trainees: number;
}

export interface TimeRanOut {
  event: "TimeRanOut";
  ask: number;
}

export interface TimedPrompt {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** The sentence addressed to each person who may answer, by person. */
  you?: Record<string, PromptText>;
}

export interface TimelineEvent {
  text: string;
  /** For screen readers, with cards in words; omitted if the same as `text`. */
  spoken?: string;
  /** What a dealer would say, if it differs from `text`; empty if a dealer wouldn't mention it. */
  talk?: string | null;
  /** Numbers of the rules behind it. */
  rules?: string[];
  /** Whether everyone at the table should notice it. */
  strong?: boolean;
  /** The sentence addressed to each person it concerns, by person. */
  you?: Record<string, EventWords>;
  payment?: Payment | null;
  n: number;
  /** Name of the event. */
  event: string;
}

/** A client's tokens. Never stored, never logged. */
export interface Tokens {
  access: string;
  access_until: number;
  refresh: string;
  refresh_until: number;
}

/** A trainee of a class, with the lessons begun since joining it. */
export interface Trainee {
  person: number;
  name: string;
  joined_at: number;
  lessons: LessonLine[];
}

export interface TrainingFelt {
  stage: string;
  dealer: (number | null)[];
  dealer_total: string;
  bonus_cards: number[];
  bonus_places: number;
  bonus_locked: boolean;
  meters: MeterOnFelt[];
  spots: SpotOnFelt[];
}

export interface TurnData {
  at_count: number;
  play: string;
  earns_per_wager: number;
}

/** The database is unavailable, and the command may have been carried out. Send it again. */
export interface UnknownMessage {
  type: "unknown";
  key: string;
  reason: string;
}

/** Unlink a table's jackpot game; its contributions stay in the meter. */
export interface UnlinkJackpot {
  command: "UnlinkJackpot";
  game: number;
  reason: string;
}

/** All deals against up cards with one value. */
export interface UpCardResult {
  up: string;
  chance: number;
  ev: number;
  wagered: number;
}

export interface ValuedChange {
  name: string;
  words: string;
  kind: "option" | "row";
  rules: string | null;
  fingerprint: string;
  house_edge: number;
  change: number;
}

export interface ValuedData {
  unseen: number;
  best: string | null;
  actions: Choice[];
  why: string;
}

export interface VariantData {
  name: string;
  rules: string;
  fingerprint: string;
  about: string;
}

/** How a step was graded. */
export interface Verdict {
  right: boolean;
  fault: StepFault | "";
  sentence: string;
  rules: string[];
  rule: string;
  answer: string;
  amount: string;
  note: string;
}

/** Void the round; possible until awards are due. */
export interface VoidRound {
  command: "VoidRound";
  reason: string;
}

/** A wager or bonus that can be paid. The value is its name in hand histories: `mtd up`. */
export type Wager = "hand" | "insurance" | "mtd up" | "mtd down" | "mtd b1" | "mtd b2" | "mtd b3" | "mtd b4" | "mtd b5" | "jackpot 1" | "jackpot 2" | "super" | "envy";

export interface WagerEffects {
  wager: string;
  value_per_wager: number;
  total_per_wager: number;
  effects: CardEffect[];
}

export interface WagerOnFelt {
  title: string;
  short: string;
  word: string;
  wager: string;
  stake: number;
  rides: boolean;
}

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

/** Position of a spot's wager: `base`, `up`, `down`, `b1` to `b5`, `j1`, `j2`. */
export interface WagerPlace {
  name: string;
  words: string;
  shape: WagerShape;
  x: number;
  y: number;
  radius: number;
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

export type WagerShape = "circle" | "square";

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

export interface WalletData {
  /** Balance away from the tables, in cents. */
  wallet: number;
  seats: SeatLine[];
}

/** Number of spectators across all processes of the house. */
export interface WatchersMessage {
  type: "watchers";
  count: number;
}

export interface WholeCents {
  net: number;
  house_edge: number;
  mistakes: number;
  luck: number;
}

export interface WithdrawWagers {
  command: "WithdrawWagers";
  spot: number;
}

/** A cell and its cost, with the hands that contribute most. */
export interface WorstCell {
  row: string;
  up: string;
  cell: string;
  cost: number;
  hands: WorstHand[];
}

/** A hand that a cell plays differently from exact best play. */
export interface WorstHand {
  hand: string;
  action: string;
  best: string;
  cost: number;
}

/** This person's private data. */
export interface You {
  type: "you";
  person: string;
  seat: number | null;
  client: number | null;
  /** When the socket closes. Before then, send another hello with a new token. */
  token_until: number | null;
  stack: number;
  wallet: number;
}

export interface ventiuna__server__routers__jackpots__MeterPoint {
  /** Milliseconds since 1970. */
  at: number;
  shown_cents: number;
}

export interface ventiuna__simulation__result__MeterPoint {
  rounds: number;
  meter_cents: number;
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
  | DeckInspected
  | DecksShuffled
  | CardsBoxed
  | AwardHeld
  | AwardHandPaid
  | RoundCorrected
  | AlarmRaised
  | AlarmAcknowledged
  | WagersPlaced
  | WagersWithdrawn
  | StageReached
  | MeterRaised
  | MeterLowered
  | MetersShown
  | CardDealt
  | SupervisorCalled
  | SupervisorAnswered
  | PaymentsAuthorized
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
  | InspectDeck
  | ShuffleDecks
  | BoxCards
  | LinkJackpot
  | UnlinkJackpot
  | VoidRound
  | CorrectRound
  | AcknowledgeCall
  | AuthorizePayments
  | PayByHand
  | AcknowledgeAlarm;

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
