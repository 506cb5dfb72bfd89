// Data from the server about lessons and consoles; see docs/school.md.

export interface Level {
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

export interface HandSeen {
  cards: number[];
  total: string;
  wager: number;
  doublings: number;
  status: string;
  on_table: boolean;
  signal: string;
}

export interface WagerSeen {
  wager: string;
  title: string;
  short: string;
  word: string;
  stake: number;
  rides: boolean;
}

export interface BonusSeen {
  title: string;
  short: string;
  word: string;
}

export interface Paid {
  wager: string;
  title: string;
  hand: number;
  net: number;
  odds: string;
  rule: string;
  reason: string;
}

export interface SpotSeen {
  number: number;
  name: string;
  base: number;
  hands: HandSeen[];
  wagers: WagerSeen[];
  bonuses: BonusSeen[];
  paid: Paid[];
}

export interface FeltSeen {
  stage: string;
  dealer: (number | null)[];
  dealer_total: string;
  bonus_cards: number[];
  bonus_places: number;
  bonus_locked: boolean;
  meters: { game: number; cents: number; wager: number }[];
  spots: SpotSeen[];
}

export interface Verdict {
  right: boolean;
  fault: string;
  sentence: string;
  rules: string[];
  rule: string;
  answer: string;
  amount: string;
  note: string; // says that another order would have been fine too
}

export interface StepButton {
  kind: string;
  title: string;
  key: string;
  word: string;
  aims: "" | "place" | "hand" | "spot" | "wager";
  amount: boolean;
}

export interface StepDone {
  text: string;
  ms: number;
}

export interface RoundSeen {
  level: string;
  title: string;
  rules: string;
  table: string;
  seed: number;
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
  felt: FeltSeen;
  lines: string[];
  buttons: StepButton[];
}

export interface Result {
  level: string;
  title: string;
  rules: string;
  fingerprint: string;
  seed: number;
  exam: boolean;
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
  kinds: { kind: string; title: string; steps: number; right: number; milliseconds: number }[];
  mistakes: {
    round: number;
    step: string;
    fault: string;
    misses: number;
    rules: string[];
    rule: string;
    amount: string;
    instead: string; // what the learner did
    order: string; // why it was too early, if it was
  }[];
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
  any_order: string[]; // rules that allow doing it before the step above
}

export interface ConsoleSeen {
  entries: string[];
  problem: { entry: number; sentence: string; rules: string[] } | null;
  prompt: { sentence: string; keys: { key: string; means: string }[] };
  felt: FeltSeen;
  lines: string[];
  steps: ConsoleStep[];
  cards: number[];
  meters: [number, number][];
  over: boolean;
  table: string;
  totals: { spot: number; net: number }[];
  notation: string;
}
