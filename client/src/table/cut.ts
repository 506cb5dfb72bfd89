// A cut of the shoe: 32 random bytes that the house can't know when it commits to the order of the cards.
// The commitment is H("ventiuna-cut-1\n" ‖ C ‖ seat as one byte ‖ r), as in docs/fairness.md.

import type { AskData, CommitCut, OpenCut, ShoeData } from "../wire";

const SALT = new TextEncoder().encode("ventiuna-cut-1\n");
const LENGTH = 32;

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export async function commitment(committed: string, seat: number, value: Uint8Array): Promise<string> {
  const all = new Uint8Array([...SALT, ...bytesOf(committed), seat, ...value]);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", all)));
}

/** Storage key of a value between commitment and opening, so that a reload opens the same value. */
const drawer = (committed: string): string => `ventiuna.cut.${committed}`;

/** Answers each prompt for a cut once, without a click, with random bytes from this browser. */
export class Cutter {
  #answered = new Set<number>();

  async answer(ask: AskData | null, shoe: ShoeData | null, seat: number | null): Promise<CommitCut | OpenCut | null> {
    const committed = shoe?.next_commitment;
    if (!ask || !committed || !seat || this.#answered.has(ask.n)) return null;
    if (ask.kind === "cut_commit") {
      this.#answered.add(ask.n);
      const value = crypto.getRandomValues(new Uint8Array(LENGTH));
      sessionStorage.setItem(drawer(committed), hex(value));
      return { command: "CommitCut", commitment: await commitment(committed, seat, value) };
    }
    if (ask.kind !== "cut_open") return null;
    const value = sessionStorage.getItem(drawer(committed));
    if (!value) return null;
    this.#answered.add(ask.n);
    return { command: "OpenCut", value };
  }
}
