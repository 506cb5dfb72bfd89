// Requests of the study pages. The responses have the same format as the command line with --json.

import { get } from "../lib/api";
import { session } from "../lib/session.svelte";
import type { CheckedRules, EdgeAnswer, InvalidRules, OptionsData, PresetLine, ShownRules } from "../wire";

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
export const askEdge = (rules: string, signal?: AbortSignal): Promise<EdgeAnswer> =>
  study<EdgeAnswer>("/analysis/edge", { rules }, signal);

export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
