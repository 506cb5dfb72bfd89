// Wagers before the deal. The server's options define which ones are allowed.

import type { PlaceWagers, Wager, WagerOption } from "../wire";
import { words } from "../i18n";

/** Amounts by wager; missing wagers aren't placed. */
export type PlacedWagers = Partial<Record<Wager, number>>;

export const SIDE_WAGERS: Wager[] = [
  "mtd up",
  "mtd down",
  "mtd b1",
  "mtd b2",
  "mtd b3",
  "mtd b4",
  "mtd b5",
  "jackpot 1",
  "jackpot 2",
];
export const CHIPS = [100, 500, 2_500, 10_000, 50_000] as const; // cents

export type Options = Map<Wager, WagerOption>;

export const sum = (laid: PlacedWagers): number => Object.values(laid).reduce((all, cents) => all + cents, 0);

/** The result of a change: the new wagers, or why it isn't possible. */
export type WagerResult = { laid: PlacedWagers } | { reason: string; rules: string[] };

const no = (reason: string, rules: string[] = []): WagerResult => ({ reason, rules });
const { refused, wagers: wagerNames } = words.table;

/** Set a wager to this amount, within the options; 0 removes it. */
export function put(options: Options, laid: PlacedWagers, wager: Wager, amount: number, left: number): WagerResult {
  const option = options.get(wager);
  if (!option) return no(refused.notFor(wagerNames[wager]));
  if (!option.legal) return no(option.reason, option.rules);
  if (amount <= 0) return { laid: without(options, laid, wager) };
  const missing = option.needs.find((needed) => !laid[needed]);
  if (missing) return no(refused.needs(missing));
  if (amount > option.most) return no(refused.most(option.most));
  if (amount < option.least) return no(refused.least(option.least));
  if (amount % option.unit) return no(refused.unit(option.unit));
  const above = option.at_most ? (laid[option.at_most] ?? 0) : amount;
  if (amount > above && option.at_most) return no(refused.atMost(option.at_most, above));
  const before = laid[wager] ?? 0;
  if (amount - before > left) return no(refused.stack(left));
  return { laid: { ...laid, [wager]: amount } };
}

/** Add one chip. The first one is at least the minimum. */
export function add(options: Options, laid: PlacedWagers, wager: Wager, chip: number, left: number): WagerResult {
  const option = options.get(wager);
  const before = laid[wager] ?? 0;
  if (!option?.legal) return put(options, laid, wager, chip, left);
  if (option.fixed !== null) return put(options, laid, wager, before ? 0 : option.fixed, left);
  const unit = option.unit || 1;
  const wanted = Math.max(before + chip, option.least);
  const top = Math.min(option.most, option.at_most ? (laid[option.at_most] ?? option.most) : option.most);
  // a chip that exceeds the maximum fills the wager up to it
  const amount = wanted > top && before < top ? top : wanted;
  return put(options, laid, wager, Math.ceil(amount / unit) * unit, left);
}

export function take(options: Options, laid: PlacedWagers, wager: Wager, chip: number): PlacedWagers {
  const option = options.get(wager);
  const amount = (laid[wager] ?? 0) - chip;
  if (!option || amount < option.least) return without(options, laid, wager);
  return { ...laid, [wager]: amount };
}

/** Remove a wager and those that depend on it. */
function without(options: Options, laid: PlacedWagers, wager: Wager): PlacedWagers {
  const next = { ...laid };
  delete next[wager];
  for (const [other, option] of options) if (option.needs.includes(wager)) delete next[other];
  return next;
}

/** Double all wagers. Those that can't be doubled stay as they are. */
export function doubled(options: Options, laid: PlacedWagers, left: number): PlacedWagers {
  let next = laid;
  for (const wager of Object.keys(laid) as Wager[]) {
    if (options.get(wager)?.fixed != null) continue;
    const tried = put(options, next, wager, 2 * (next[wager] ?? 0), left - (sum(next) - sum(laid)));
    if ("laid" in tried) next = tried.laid;
  }
  return next;
}

// --- typing: `25 up 5 b3 5 j2` --------------------------------------------------------------

export const NAMES: Record<string, Wager> = {
  base: "hand",
  up: "mtd up",
  down: "mtd down",
  b1: "mtd b1",
  b2: "mtd b2",
  b3: "mtd b3",
  b4: "mtd b4",
  b5: "mtd b5",
  j1: "jackpot 1",
  j2: "jackpot 2",
};

/** An example of what can be typed at this table: `25 up 5 b3 5 j2`. */
export function example(options: Options): string {
  const has = (name: string): boolean => options.get(NAMES[name] as Wager)?.legal ?? false;
  const last = (names: string[]): string[] => names.filter(has).slice(-1);
  const sides = [...last(["down", "up"]), ...last(["b1", "b2", "b3"])].map((name) => `${name} 5`);
  return ["25", ...sides, ...last(["j1", "j2"])].join(" ");
}

/** An amount on its own is the base wager; a name takes the amount after it; jackpots have fixed amounts. */
export function typed(options: Options, text: string, left: number): WagerResult {
  let words = text.toLowerCase().replaceAll("$", "").split(/[\s,]+/).filter(Boolean);
  let laid: PlacedWagers = {};
  while (words.length) {
    const read = readOne(options, words);
    if ("reason" in read) return read;
    const { wager, amount } = read;
    if (laid[wager]) return no(refused.twice(wager));
    if (!amount) return no(refused.zero(wager));
    const tried = put(options, laid, wager, amount, left - sum(laid));
    if ("reason" in tried) return tried;
    laid = tried.laid;
    words = words.slice(read.taken);
  }
  return { laid };
}

type ReadOne = { wager: Wager; amount: number; taken: number } | { reason: string; rules: string[] };

/** The first wager in these words, and how many words it uses. */
function readOne(options: Options, [word = "", next = ""]: string[]): ReadOne {
  const base = cents(word);
  if (base !== null) return { wager: "hand", amount: base, taken: 1 };
  const wager = NAMES[word];
  if (!wager) return { reason: refused.word(word, example(options)), rules: [] };
  const option = options.get(wager);
  if (!option) return { reason: refused.notFor(wagerNames[wager]), rules: [] };
  if (!option.legal) return { reason: option.reason, rules: option.rules };
  const given = cents(next);
  if (given !== null) return { wager, amount: given, taken: 2 };
  if (option.fixed !== null) return { wager, amount: option.fixed, taken: 1 };
  return { reason: refused.amount(word), rules: [] };
}

function cents(text: string): number | null {
  return /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}

// --- wire format ----------------------------------------------------------------------------

export function command(spot: number, person: string, laid: PlacedWagers): PlaceWagers {
  const mtd: Record<string, number> = {};
  const jackpots: Record<string, number> = {};
  for (const [wager, amount] of Object.entries(laid)) {
    if (wager.startsWith("mtd ")) mtd[wager.slice(4)] = amount;
    if (wager.startsWith("jackpot ")) jackpots[wager.slice(8)] = amount;
  }
  return { command: "PlaceWagers", spot, base: laid.hand ?? 0, person, mtd, jackpots };
}

interface Placed {
  base: number;
  mtd: Partial<Record<string, number>>;
  jackpots: Partial<Record<string, number>>;
}

export function placedWagers(placed: Placed): PlacedWagers {
  const laid: PlacedWagers = placed.base ? { hand: placed.base } : {};
  for (const [part, amount] of Object.entries(placed.mtd)) if (amount) laid[`mtd ${part}` as Wager] = amount;
  for (const [game, amount] of Object.entries(placed.jackpots)) if (amount) laid[`jackpot ${game}` as Wager] = amount;
  return laid;
}

export const same = (one: PlacedWagers, other: PlacedWagers): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<Wager>;
  return [...names].every((name) => (one[name] ?? 0) === (other[name] ?? 0));
};

/** An amount in chips, largest first; at most six are drawn. */
export function chipsOf(amount: number): number[] {
  const pile: number[] = [];
  let left = amount;
  for (const value of [...CHIPS].reverse()) {
    while (left >= value && pile.length < 6) {
      pile.push(value / 100);
      left -= value;
    }
  }
  return pile.length || amount <= 0 ? pile : [1];
}
