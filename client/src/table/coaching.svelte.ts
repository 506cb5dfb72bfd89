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
    return this.advice?.shoe.actions.find((choice) => choice.action === action)?.cost ?? null;
  }

  /** The cost of a double for less, which differs from a full double and needs a query. */
  async costOfLess(amount: number): Promise<number | null> {
    if (!this.#isPresent) return null;
    const question = { spot: this.#spot, done: "double", added: amount };
    const found = await get<HandAdvice>(`/tables/${this.table.id}/coach`, question).catch(() => null);
    return this.#isPresent ? (found?.done?.cost ?? null) : null;
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
      const found = await get<HandAdvice>(`/tables/${this.table.id}/coach`, { spot: this.#spot }, abort.signal);
      if (this.#abort === abort) this.advice = found;
    } catch (error) {
      if (this.#abort === abort && !abort.signal.aborted) this.failed = error instanceof Error ? error.message : "";
    } finally {
      clearTimeout(timer);
      if (this.#abort === abort) this.counting = false;
    }
  }

  /** Score the choice with the values known so far. Values are multiples of `stake`. */
  chose(action: string, stake: number, cost = this.costOf(action)): void {
    const advice = this.#isPresent ? this.advice : null;
    if (!advice) this.#abort?.abort(); // too late: the hand moves on
    const isMistake = cost !== null && settings.isMistake(cost) && action !== "keep"; // a kept blackjack can still be paid
    if (!advice || !isMistake || !advice.shoe.best) return;
    this.mistake = {
      hand: this.#handName,
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
