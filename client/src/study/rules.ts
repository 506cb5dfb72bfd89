// House rules as one string: `wsgc-2021(decks=8,soft_17=stand)`. The server validates them.

import { studyWords } from "../i18n/study";
import { capitalize, money } from "../lib/format";
import type { OptionData, ShownOption } from "../wire";

export interface RulesText {
  preset: string;
  changes: Map<string, string>;
}

export function readRules(text: string): RulesText {
  const found = /^\s*([^()]*?)\s*(?:\((.*)\))?\s*$/s.exec(text);
  const changes = new Map<string, string>();
  for (const part of (found?.[2] ?? "").split(",")) {
    const place = part.indexOf("=");
    if (place > 0) changes.set(part.slice(0, place).trim(), part.slice(place + 1).trim());
  }
  return { preset: found?.[1] ?? text.trim(), changes };
}

export function writeRules({ preset, changes }: RulesText): string {
  const parts = [...changes].map(([name, value]) => `${name}=${value}`);
  return parts.length ? `${preset}(${parts.join(",")})` : preset;
}

export function withChange(text: string, name: string, value: string): string {
  const { preset, changes } = readRules(text);
  changes.set(name, value);
  return writeRules({ preset, changes });
}

export interface JackpotText {
  table: string;
  payTable: string;
  rest: string; // `wager=5:seed=1000`, as typed
}

/** Parse `3c:1:wager=5+4d:2`, or `none`. */
export function readJackpots(text: string): JackpotText[] {
  if (!text || text === "none") return [];
  return text.split("+").map((game) => {
    const [table = "", payTable = "1", ...rest] = game.split(":");
    return { table, payTable, rest: rest.join(":") };
  });
}

export function writeJackpots(games: JackpotText[]): string {
  const texts = games.filter((game) => game.table).map((game) => [game.table, game.payTable, game.rest].filter(Boolean).join(":"));
  return texts.join("+") || "none";
}

export interface Fix {
  name: string;
  value: string;
}

/** The fixes suggested in a server message: "Use double_double=off or soft_17=hit." */
export function fixesIn(sentence: string, known: (name: string, value: string) => boolean): Fix[] {
  const found = [...sentence.matchAll(/\b([a-z][a-z0-9_]*)=([a-z0-9_-]+)/g)];
  return found.map(([, name = "", value = ""]) => ({ name, value })).filter((fix) => known(fix.name, fix.value));
}

/** What 0 stands for, if the meaning says so: "Percentage dealt before the cut card; 0 means 75%". */
const ZERO = /; 0 means (.+)$/;

/** An option's meaning, without what 0 stands for. */
export const meaningOf = ({ meaning }: ShownOption): string => capitalize(meaning.replace(ZERO, ""));

const wordsOf = (value: string, data?: OptionData): string => data?.values.find((one) => one.value === value)?.words ?? value.replaceAll("_", " ");

/** An option's value in words. */
export function valueWords({ value, meaning }: ShownOption, data?: OptionData): string {
  const zero = Number(value) === 0 ? ZERO.exec(meaning)?.[1] : undefined;
  if (zero) return zero;
  if (data?.kind === "money") return money(Math.round(100 * Number(value)));
  return wordsOf(typeof value === "boolean" ? (value ? "on" : "off") : String(value), data);
}

/** Whether the document fixes the option, leaves it to the house, or is silent (our reading applies). */
export function whoDecides(option: ShownOption, data?: OptionData): string {
  const text = studyWords.rules;
  const known = option.allowed.map((value) => wordsOf(value, data));
  const allowed = known.join(known.some((one) => one.includes(",")) ? "; " : ", ");
  if (option.departs) return text.departsFrom(allowed);
  const standing = text.standing[option.standing] ?? option.standing;
  if (option.standing === "house" && allowed) return `${standing}: ${allowed}`;
  return option.our_reading ? text.ourReading(wordsOf(option.our_reading, data)) : standing;
}
