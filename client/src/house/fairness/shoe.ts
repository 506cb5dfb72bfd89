// Deal a shoe again (steps 8 and 9 of the recipe). A card is identified by its place, the index in the
// first order (including burned cards), because a shoe has several copies of each card.

import { sizeOf, unshuffled, Words, type Bytes } from "./recipe";
import type { ContextData, RecordEvent } from "../../wire";

export class OutOfCards extends Error {}
export class NoSuchHand extends Error {}

export class DealtShoe {
  dealt = 0; // cards dealt, not counting burned ones
  reshuffles = 0; // reshuffles mid-round
  #order: number[] = []; // places in dealing order
  #next = 0;
  #bonus: number[] = []; // places of Bonus Cards from earlier rounds
  #moves: { event: RecordEvent; place: number }[] = []; // events of this round that moved cards

  private constructor(
    readonly context: ContextData,
    readonly cards: number[], // cards by place
    private readonly words: Words,
  ) {
    this.#order = cards.map((_, place) => place);
    this.#next = context.burn;
  }

  static async of(context: ContextData, seed: Bytes, mix: Bytes): Promise<DealtShoe> {
    const words = await Words.of(context, seed, mix);
    const cards = unshuffled(context);
    await words.shuffle(cards);
    return new DealtShoe(context, cards, words);
  }

  get left(): number {
    return this.#order.length - this.#next;
  }

  get cutCardCame(): boolean {
    const behind = Math.floor((sizeOf(this.context) * (100 - this.context.cut)) / 100);
    return this.reshuffles > 0 || this.left <= behind;
  }

  /** Clear the table. Return false if the shoe had already ended before this round. */
  beginRound(): boolean {
    if (this.dealt > 0 && this.cutCardCame) return false;
    this.#bonus.push(...this.#moves.filter(({ event }) => event.place === "bonus").map(({ place }) => place));
    this.#moves = [];
    return true;
  }

  async draw(event: RecordEvent): Promise<number> {
    if (this.#next === this.#order.length) await this.#shuffleAgain();
    const place = this.#order[this.#next++] as number;
    this.dealt += 1;
    this.#moves.push({ event, place });
    return this.cards[place] as number;
  }

  /** Record a split or a removed hand, which determines the cards on the table when the shoe runs out. */
  follow(event: RecordEvent): void {
    this.#moves.push({ event, place: -1 });
  }

  async #shuffleAgain(): Promise<void> {
    const burnt = Array.from({ length: this.context.burn }, (_, place) => place);
    const out = new Set([...burnt, ...this.#bonus, ...this.#onTheTable()]);
    const kept = this.#order.filter((place) => out.has(place));
    const pool = this.#order.filter((place) => !out.has(place));
    if (!pool.length) throw new OutOfCards();
    await this.words.shuffle(pool);
    this.#order = [...kept, ...pool];
    this.#next = kept.length;
    this.reshuffles += 1;
  }

  #onTheTable(): number[] {
    const others: number[] = [];
    const spots = new Map<number, number[][]>();
    const hand = (spot: number, index: number): number[] => {
      const found = spots.get(spot)?.[index];
      if (!found) throw new NoSuchHand();
      return found;
    };
    for (const { event, place } of this.#moves) {
      const spot = event.spot ?? 0;
      const index = event.hand ?? 0;
      if (event.event === "CardDealt" && event.place !== "player") others.push(place);
      else if (event.event === "CardDealt") {
        if (!spots.has(spot)) spots.set(spot, [[]]);
        hand(spot, index).push(place);
      } else if (event.event === "HandSplit") {
        const second = hand(spot, index).pop();
        spots.get(spot)?.splice(index + 1, 0, second === undefined ? [] : [second]);
      } else hand(spot, index).length = 0;
    }
    return [...others, ...[...spots.values()].flat(2)];
  }
}
