// Requests of the study pages. The responses have the same format as the command line with --json.

import { get } from "../lib/api";
import { session } from "../lib/session.svelte";
import type { CheckedRules, InvalidRules, OptionsData, PresetLine, ShownRules } from "../wire";

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
export const checkRules = (rules: string, signal?: AbortSignal): Promise<CheckedRules | InvalidRules> =>
  get<CheckedRules | InvalidRules>("/rules/check", { rules }, signal);
export const showRules = (rules: string, signal?: AbortSignal): Promise<ShownRules> =>
  get<ShownRules>("/rules/show", { rules }, signal);
export const askEdge = (rules: string, signal?: AbortSignal): Promise<EdgeData> =>
  study<EdgeData>("/analysis/edge", { rules }, signal);

export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
