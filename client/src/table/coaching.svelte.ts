// The coach at the table, queried over HTTP for this shoe and a fresh one. Buttons never wait for it.

import { get } from "../lib/api";
import { settings } from "../lib/settings.svelte";
import { words } from "../i18n";
import type { LiveTable } from "./live.svelte";
import type { ChartPage, HandAdvice, StrategyAnswer, ValuedData } from "../wire";

export interface Mistake {
  hand: string; // empty if I had only one
  did: string;
  best: string;
  cost: number;
  cents: number;
  sentence: string;
  advice: HandAdvice;
}

const costIn = (advice: HandAdvice | null, action: string): number | null =>
  advice?.shoe.actions.find((choice) => choice.action === action)?.cost ?? null;
const COUNTING_AFTER = 150; // milliseconds before "calculating" appears

export class Coaching {
  advice = $state.raw<HandAdvice | null>(null);
  counting = $state(false);
  open = $state(false); // opened by the player for this decision
  mistake = $state.raw<Mistake | null>(null);
  failed = $state("");
  chart = $state.raw<ChartPage | null>(null);
  #charted = false;
  #asked = 0; // the prompt the advice belongs to
  #abort: AbortController | null = null;
  #answer: Promise<HandAdvice> | null = null;

  constructor(readonly table: LiveTable) {}

  get mode(): "off" | "asked" | "mistakes" | "always" {
    return settings.chosen.coach;
  }

  get isShown(): boolean {
    return this.mode === "always" || this.open;
  }

  /** The last mistake, if the coach is to point mistakes out. */
  get pointedOut(): Mistake | null {
    return this.mode === "mistakes" || this.mode === "always" ? this.mistake : null;
  }

  get valued(): ValuedData | null {
    return this.advice ? (settings.chosen.coach_shoe === "fresh" ? this.advice.fresh : this.advice.shoe) : null;
  }

  /** The best button is marked only if the coach is always on. */
  isBest(action: string): boolean {
    return this.mode === "always" && this.#isPresent && this.advice?.shoe.best === action;
  }

  costOf(action: string): number | null {
    if (!this.#isPresent) return null;
    return costIn(this.advice, action);
  }

  /** The cost of a double for less, which differs from a full double and needs a query; 0 if unknown. */
  async costOfLess(amount: number): Promise<number> {
    if (!this.#isPresent) return 0;
    const question = { spot: this.#spot, done: "double", added: amount };
    const found = await get<HandAdvice>(`/tables/${this.table.id}/coach`, question).catch(() => null);
    return this.#isPresent ? (found?.done?.cost ?? 0) : 0;
  }

  get #spot(): number {
    return this.table.ask?.spots.find((number) => this.table.mySpots.includes(number)) ?? 0;
  }

  get #handName(): string {
    const spot = this.table.felt.spots[this.#spot];
    const index = this.table.ask?.hand ?? 0;
    if (!spot || (spot.hands.length < 2 && this.table.mySpots.length < 2)) return "";
    return words.table.mistakenHand(this.table.nameOf(spot, index), spot.hands[index]?.count ?? "");
  }

  get #cards(): string {
    const { ask, felt } = this.table;
    return (felt.spots[this.#spot]?.hands[ask?.hand ?? 0]?.cards ?? []).map(({ card }) => card).join();
  }

  get #isPresent(): boolean {
    return this.advice !== null && this.#asked === this.table.ask?.n;
  }

  /** A new prompt: get its values if the player will want them. */
  follow(): void {
    const { ask } = this.table;
    if (!ask || ask.n === this.#asked) return;
    this.open = false;
    const isMine = ask.spots.some((spot) => this.table.mySpots.includes(spot));
    const isAbout = ask.kind === "decision" || ask.kind === "insurance" || ask.kind === "blackjack";
    if (!isMine || !isAbout) {
      this.#abort?.abort();
      this.advice = null;
      this.#asked = ask.n;
      return;
    }
    if (this.mode !== "off" || settings.chosen.guard) void this.ask();
  }

  async ask(): Promise<void> {
    const { ask } = this.table;
    if (!ask) return;
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#asked = ask.n;
    this.advice = null;
    this.failed = "";
    const timer = setTimeout(() => (this.counting = true), COUNTING_AFTER);
    try {
      this.#answer = get<HandAdvice>(`/tables/${this.table.id}/coach`, { spot: this.#spot }, abort.signal);
      const found = await this.#answer;
      if (this.#abort === abort) this.advice = found;
    } catch (error) {
      if (this.#abort === abort && !abort.signal.aborted) this.failed = error instanceof Error ? error.message : "";
    } finally {
      clearTimeout(timer);
      if (this.#abort === abort) this.counting = false;
    }
  }

  /** Score the choice. Values are multiples of `stake`. A quick choice is scored when its values arrive. */
  chose(action: string, stake: number, cost = this.costOf(action)): void {
    const hand = this.#handName;
    if (this.advice && this.#isPresent) return this.#score(this.advice, action, stake, cost, hand);
    const { round } = this.table.felt;
    const cards = this.#cards;
    this.#abort = null; // the answer is still wanted, but not for the next prompt
    this.counting = false;
    void this.#answer?.then((advice) => {
      const isSame = this.table.felt.round === round && advice.cards.join() === cards; // asked before the hand moved on
      if (isSame) this.#score(advice, action, stake, costIn(advice, action), hand);
    }, () => undefined);
  }

  #score(advice: HandAdvice, action: string, stake: number, cost: number | null, hand: string): void {
    const isMistake = cost !== null && settings.isMistake(cost) && action !== "keep"; // a kept blackjack can still be paid
    if (!isMistake || !advice.shoe.best) return;
    this.mistake = {
      hand,
      did: action,
      best: advice.shoe.best,
      cost,
      cents: Math.round(cost * stake),
      sentence: advice.shoe.why,
      advice,
    };
  }

  /** The chart for these rules, loaded once when it is first shown. */
  async loadChart(): Promise<void> {
    const rules = this.table.felt.table?.canonical;
    if (this.#charted || !rules) return;
    this.#charted = true;
    const found = await get<StrategyAnswer>("/analysis/strategy", { rules }).catch(() => null);
    this.chart = found?.page ?? null;
    if (!found) this.#charted = false;
  }

  toggle(): void {
    this.open = !this.open;
    if (this.open && this.table.ask?.kind !== "wagers" && !this.advice && !this.counting) void this.ask();
  }
}
