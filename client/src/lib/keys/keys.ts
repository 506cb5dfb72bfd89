// Keyboard shortcuts at the table. All of them can be changed, and single letters can be turned off.

import { settings } from "../settings.svelte";

export const PLAY_KEYS: Record<string, string> = {
  hit: "h",
  stand: "s",
  double: "d",
  split: "p",
  surrender: "u",
  rescue: "c",
  insure: "i",
  decline: "n",
  take: "b",
  keep: "k",
};
export const BET_KEYS: Record<string, string> = {
  again: "a",
  doubleAll: "x",
  type: "t",
  more: "+",
  less: "-",
  smaller: "[",
  larger: "]",
  jackpot1: "j",
  jackpot2: "k",
};
/** Keys that work while betting and during play. */
export const ANY_KEYS: Record<string, string> = {
  why: "w",
  last: "l",
  tell: "g",
  money: "$",
};
/** Keys that can't be changed because they aren't single letters or belong to the page. */
export const FIXED_BET_KEYS: Record<string, string> = {
  spots: "1–7",
  arrows: "← → ↑ ↓",
  undo: "⌫",
  deal: "Enter",
};
export const FIXED_ANY_KEYS: Record<string, string> = {
  escape: "Esc",
  help: "?",
};

export function keyOf(name: string): string {
  return settings.chosen.keys[name] ?? PLAY_KEYS[name] ?? BET_KEYS[name] ?? ANY_KEYS[name] ?? "";
}

export const shownKey = (name: string): string => {
  const key = keyOf(name);
  return key === "-" ? "−" : key.length === 1 ? key.toUpperCase() : key;
};

/** The action of a key in this phase. */
export function meaning(key: string, phase: "play" | "bet"): string | null {
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  const own = { ...(phase === "bet" ? BET_KEYS : PLAY_KEYS), ...ANY_KEYS };
  return Object.keys(own).find((name) => keyOf(name).toLowerCase() === pressed) ?? null;
}

/** Single letters do nothing while the user is typing or when they are turned off. */
export function letsActs(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const on = event.target;
  if (on instanceof HTMLElement && (on.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(on.tagName))) return false;
  return settings.chosen.letters || event.key.length > 1;
}
