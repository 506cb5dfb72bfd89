// A practice shoe for counting: cards dealt at random, their tags, and the exact count.

import { cardOf, code } from "../lib/cards";
import type { CardsLeft, CountReportData, TagData } from "../wire";

const TENS = "TJQK";
const END = 0.75; // share of the shoe that is dealt before a new one
export const WITHIN = 0.5; // a true count is right within half a point

export function tagOf(tags: TagData[], card: number): number {
  const name = code(card);
  const rank = name.charAt(0);
  const find = (wanted: string): TagData | undefined => tags.find((one) => one.card === wanted);
  return (find(name) ?? find(rank) ?? (TENS.includes(rank) ? find("10") : undefined))?.tag ?? 0;
}

export class PracticeShoe {
  readonly size: number;
  readonly perDeck: number;
  #cards: number[];
  #at = 0;
  #running: number;

  constructor(
    left: CardsLeft,
    readonly count: Pick<CountReportData, "tags" | "start">,
    random: () => number = Math.random,
  ) {
    this.#cards = Object.entries(left.counts).flatMap(([name, number]) => Array.from({ length: number }, () => cardOf(name) ?? 0));
    this.size = this.#cards.length;
    this.perDeck = Object.keys(left.counts).length;
    for (let last = this.size - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [this.#cards[last], this.#cards[other]] = [this.#cards[other] as number, this.#cards[last] as number];
    }
    this.#running = count.start * this.decks;
  }

  /** Decks left. */
  get decks(): number {
    return this.left / this.perDeck;
  }

  get left(): number {
    return this.size - this.#at;
  }

  get running(): number {
    return this.#running;
  }

  get true(): number {
    return this.#running / this.decks;
  }

  get isOver(): boolean {
    return this.#at >= END * this.size;
  }

  deal(number: number): number[] {
    const cards = this.#cards.slice(this.#at, this.#at + number);
    this.#at += cards.length;
    for (const card of cards) this.#running += tagOf(this.count.tags, card);
    return cards;
  }
}

/** The average edge at a true count, to first order; positive favors the player. */
export const edgeAt = ({ ev, slope_per_wager: slope, break_even_at_count: even }: CountReportData, count: number): number =>
  even === null ? ev : slope * (count - even);
