// Requests of the study pages. The responses have the same format as the command line with --json.

import { get } from "../lib/api";
import { session } from "../lib/session.svelte";

export interface PresetLine {
  name: string;
  title: string;
  document: string;
  game: string;
  decks: number;
  fingerprint: string;
}

export interface OptionValue {
  value: string;
  words: string;
}

export interface OptionData {
  name: string;
  kind: "choice" | "flag" | "number" | "money" | "odds" | "names" | "text";
  meaning: string;
  rules: string[];
  values: OptionValue[];
  low: number | null;
  high: number | null;
  default: string;
  how: string;
  presets: { preset: string; value: string; words: string; standing: string; allowed: string[] }[];
}

export interface JackpotTableData {
  table: string;
  decks: number[];
  pay_tables: number[];
  alternates: number[];
  document: string;
  rule: string;
}

export interface OptionsData {
  parts: { name: string; options: OptionData[] }[];
  jackpot_tables: JackpotTableData[];
}

export interface RulesProblem {
  field: string;
  value: string;
  rule: string;
  message: string;
  fix: string;
  text: string;
}

export interface CheckData {
  valid: boolean;
  rules: string;
  fingerprint?: string;
  preset?: string;
  title?: string;
  problems: RulesProblem[];
  warnings?: string[];
  departures?: { option: string; value: string; allowed: string; rule: string; text: string }[];
}

export interface ShownOption {
  name: string;
  value: string | number | boolean;
  meaning: string;
  standing: string;
  allowed: string[];
  departs: boolean;
  our_reading: string | null; // our reading if the document is silent and the value differs from it
  sources: string[];
}

export interface ShowData {
  rules: string;
  title: string;
  game: string;
  preset: string;
  fingerprint: string;
  options: ShownOption[];
  departures: { option: string; text: string }[];
  warnings: string[];
}

export interface EdgeData {
  rules: string;
  fingerprint: string;
  cards: number;
  strategy_class: string;
  ev: number;
  house_edge: number;
  wagered: number;
  element_of_risk: number;
  seconds: number;
  command: string;
}

export interface ChangeData {
  name: string;
  words: string;
  kind: "option" | "row";
  rules: string | null;
  fingerprint: string;
  house_edge?: number;
  change?: number;
}

export async function study<T>(
  path: string,
  query: Record<string, string | number | boolean | undefined>,
  signal?: AbortSignal,
): Promise<T> {
  await session.ensureGuest();
  return get<T>(path, query, signal);
}

let presets: Promise<PresetLine[]> | null = null;
let options: Promise<OptionsData> | null = null;

export const listPresets = (): Promise<PresetLine[]> => (presets ??= get<PresetLine[]>("/rules"));
export const listOptions = (): Promise<OptionsData> => (options ??= get<OptionsData>("/rules/options"));
export const checkRules = (rules: string, signal?: AbortSignal): Promise<CheckData> =>
  get<CheckData>("/rules/check", { rules }, signal);
export const showRules = (rules: string, signal?: AbortSignal): Promise<ShowData> =>
  get<ShowData>("/rules/show", { rules }, signal);
export const askEdge = (rules: string, signal?: AbortSignal): Promise<EdgeData> =>
  study<EdgeData>("/analysis/edge", { rules }, signal);

export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
