// Recipe `ventiuna-shoe-1` from docs/fairness.md, implemented with the browser's own SHA-256 and HMAC.
// Nothing here contacts the server: everything follows from a public record.

import type { ContextData } from "../../wire";

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const BLOCK = 32; // bytes per SHA-256 hash
const REQUEST = 1024; // bytes per request; each request updates the generator's state
const WORDS = 2 ** 32;
const TEN = 9; // the rank missing from a Spanish pack

export function fromHex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw new Error("not hexadecimal digits");
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function joined(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const text = (words: string): Bytes => encoder.encode(words) as Bytes;

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

// --- steps 1 to 4 ---------------------------------------------------------------------------------

export function contextLines(context: ContextData): Bytes {
  const lines = [
    "ventiuna-shoe-1",
    `house=${context.house}`,
    `table=${context.table}`,
    `shoe=${context.shoe}`,
    `rules=${context.rules}`,
    `pack=${context.pack}`,
    `decks=${context.decks}`,
    `burn=${context.burn}`,
    `cut=${context.cut}`,
  ];
  return text(lines.map((line) => `${line}\n`).join(""));
}

export const commitmentOf = (context: ContextData, seed: Bytes): Promise<Bytes> =>
  sha256(joined(text("ventiuna-commit-1\n"), contextLines(context), seed));

export const cutCommitment = (commitment: Bytes, seat: number, value: Bytes): Promise<Bytes> =>
  sha256(joined(text("ventiuna-cut-1\n"), commitment, Uint8Array.of(seat), value));

/** Hash the opened cuts, in order of seats. */
export function mixOf(commitment: Bytes, opened: { seat: number; value: Bytes }[]): Promise<Bytes> {
  const cuts = [...opened].sort((one, other) => one.seat - other.seat);
  return sha256(joined(text("ventiuna-mix-1\n"), commitment, ...cuts.flatMap((cut) => [Uint8Array.of(cut.seat), cut.value])));
}

// --- steps 5 to 7 ---------------------------------------------------------------------------------

/** HMAC_DRBG with SHA-256 (NIST SP 800-90A), as a stream of 32-bit words. */
export class Words {
  #key: Bytes = new Uint8Array(BLOCK);
  #value: Bytes = new Uint8Array(BLOCK).fill(1);
  #words: number[] = [];
  #at = 0;

  static async of(context: ContextData, seed: Bytes, mix: Bytes): Promise<Words> {
    const words = new Words();
    await words.#update(joined(seed, mix, contextLines(context)));
    return words;
  }

  async next(): Promise<number> {
    if (this.#at === this.#words.length) {
      const view = new DataView((await this.#generate(REQUEST)).buffer);
      this.#words = Array.from({ length: REQUEST / 4 }, (_, index) => view.getUint32(4 * index));
      this.#at = 0;
    }
    return this.#words[this.#at++] as number;
  }

  /** A uniformly distributed whole number from 0 to `limit` − 1. */
  async below(limit: number): Promise<number> {
    const unfair = WORDS - (WORDS % limit);
    let word = await this.next();
    while (word >= unfair) word = await this.next();
    return word % limit;
  }

  /** Fisher–Yates shuffle, from the last card to the second. */
  async shuffle<T>(cards: T[]): Promise<void> {
    for (let last = cards.length - 1; last > 0; last--) {
      const other = await this.below(last + 1);
      [cards[last], cards[other]] = [cards[other] as T, cards[last] as T];
    }
  }

  async #generate(size: number): Promise<Bytes> {
    const blocks: Bytes[] = [];
    for (let done = 0; done < size; done += BLOCK) {
      this.#value = await hmac(this.#key, this.#value);
      blocks.push(this.#value);
    }
    await this.#update(new Uint8Array(0));
    return joined(...blocks).slice(0, size);
  }

  async #update(material: Bytes): Promise<void> {
    for (const round of material.length ? [0, 1] : [0]) {
      this.#key = await hmac(this.#key, joined(this.#value, Uint8Array.of(round), material));
      this.#value = await hmac(this.#key, this.#value);
    }
  }
}

export const sizeOf = (context: ContextData): number => context.decks * (context.pack === "spanish" ? 48 : 52);

/** A new, unshuffled shoe as card numbers: the pack repeated `decks` times. */
export function unshuffled(context: ContextData): number[] {
  const pack = Array.from({ length: 52 }, (_, card) => card).filter((card) => context.pack === "standard" || card >> 2 !== TEN);
  return Array.from({ length: context.decks }, () => pack).flat();
}
