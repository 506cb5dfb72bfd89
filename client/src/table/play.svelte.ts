// The player's decision: the position and effect of each button, and why it may be unavailable.

import { perDollar } from "../lib/format";
import { settings } from "../lib/settings.svelte";
import type { ActionOption, AskData, InsuranceOption, WireCommand } from "../wire";
import { words } from "../i18n";
import type { Betting } from "./betting.svelte";
import type { LiveTable } from "./live.svelte";

/** The action buttons in order. Double and double-double share one. */
export const ROW = ["hit", "stand", "double", "split", "surrender", "rescue"] as const;
export type PlaceName = (typeof ROW)[number];

export interface Button {
  place: PlaceName;
  name: string; // name of the action
  option: ActionOption | null;
  legal: boolean;
  adds: number;
  back: number;
  forLess: boolean;
  reason: string;
  rules: string[];
}

const COMMANDS: Record<string, (spot: number) => WireCommand> = {
  hit: (spot) => ({ command: "Hit", spot }),
  stand: (spot) => ({ command: "Stand", spot }),
  double: (spot) => ({ command: "Double", spot }),
  "double-double": (spot) => ({ command: "DoubleDouble", spot }),
  split: (spot) => ({ command: "Split", spot }),
  surrender: (spot) => ({ command: "Surrender", spot }),
  rescue: (spot) => ({ command: "Rescue", spot }),
};
const KEPT_FOR = 400; // milliseconds that a key pressed too early is remembered

export class Playing {
  /** The open amount picker. */
  choosing = $state<"double" | "insure" | null>(null);
  /** A costly choice waiting for confirmation. */
  guarded = $state.raw<{ name: string; cost: string; go: () => void } | null>(null);
  #early: { act: () => void; until: number } | null = null;

  /** Called with the chosen action and its wager when it is sent. */
  onChoice: (action: string, stake: number, cost: number | null) => void = () => undefined;
  /** The cost of a choice according to the coach; null if unknown. */
  costOf: (action: string) => number | null = () => null;
  costOfLess: (amount: number) => Promise<number> = () => Promise.resolve(0);

  constructor(
    readonly table: LiveTable,
    readonly betting: Betting,
  ) {}

  get kind(): "bet" | "decision" | "insurance" | "blackjack" | "wait" {
    const { ask, heard, idle, felt } = this.table;
    const kind = this.#kindOf(ask);
    if (idle || kind === "wait") return kind;
    // While events are shown, the row stays only if the same prompt follows them.
    const stays = kind === "bet" ? felt.stage === null || felt.stage === "wagers" : this.#kindOf(heard) === kind;
    return stays ? kind : "wait";
  }

  #kindOf(ask: AskData | null): "bet" | "decision" | "insurance" | "blackjack" | "wait" {
    const { seat, mySpots } = this.table;
    if (!ask || !seat || this.table.link.kind === "shut") return "wait";
    if (ask.kind === "wagers") return "bet";
    const isMine = ask.spots.some((spot) => mySpots.includes(spot));
    if (!isMine) return "wait";
    return ask.kind === "decision" || ask.kind === "insurance" || ask.kind === "blackjack" ? ask.kind : "wait";
  }

  /** The spot of the prompt: the first of ours if there are several. */
  get spot(): number {
    return this.table.ask?.spots.find((spot) => this.table.mySpots.includes(spot)) ?? 0;
  }

  get buttons(): Button[] {
    const found = new Map<string, ActionOption>();
    for (const option of this.table.ask?.options ?? []) if (option.kind === "action") found.set(option.name, option);
    return ROW.map((place) => this.#button(place, found));
  }

  #button(place: PlaceName, found: Map<string, ActionOption>): Button {
    const later = found.get("double-double");
    const name = place === "double" && !found.get("double")?.legal && later?.legal ? "double-double" : place;
    const option = found.get(name) ?? null;
    const { stack } = this.table;
    const least = option ? option.least_chips || option.chips : 0;
    const isPoor = option !== null && option.legal && least > stack;
    return {
      place,
      name,
      option,
      legal: option !== null && option.legal && !isPoor,
      adds: option?.chips ?? 0,
      back: option?.back ?? 0,
      forLess: option !== null && option.legal && name === "double" && option.least_chips < option.chips,
      reason: isPoor ? words.table.refused.stack(stack) : (option?.reason ?? ""),
      rules: isPoor ? [] : (option?.rules ?? []),
    };
  }

  /** What taking the payment for the blackjack wins. */
  get blackjackPays(): number {
    const found = this.table.ask?.options?.find((option) => option.kind === "answer" && option.name === "take" && option.spot === this.spot);
    return found?.kind === "answer" ? found.pays : 0;
  }

  get insurance(): InsuranceOption | null {
    const found = this.table.ask?.options?.find((option) => option.kind === "insurance" && option.spot === this.spot);
    return found?.kind === "insurance" ? found : null;
  }

  // --- actions ---

  /** Choose the action of a button. If it is refused, say why; if it is too early, remember it briefly. */
  press(place: PlaceName): void {
    if (this.#isUnheard(place) || this.#isEarly(() => this.press(place))) return;
    const button = this.buttons.find((found) => found.place === place);
    if (!button || this.kind !== "decision") return;
    if (!button.legal) return this.table.refuse(button.reason, button.rules, place);
    if (button.name === "double" && button.adds > this.table.stack) {
      this.choosing = "double";
      return;
    }
    this.#choose(button.name, COMMANDS[button.name]?.(this.spot), button.place);
  }

  /** Send the choice unless it is a costly mistake that needs confirmation. */
  #choose(
    name: string,
    command: WireCommand | undefined,
    at: string,
    stake = this.#base,
    cost = this.costOf(name),
  ): void {
    this.guarded = null;
    if (!command) return;
    const go = (): void => {
      this.guarded = null;
      this.onChoice(name, stake, cost);
      void this.table.act(command, at);
    };
    const guard = settings.chosen.guard / 100;
    if (cost === null || !guard || cost < guard) return go();
    this.guarded = { name, cost: perDollar(cost).replace("+", ""), go };
  }

  get #base(): number {
    return this.table.felt.spots[this.spot]?.base ?? 0;
  }

  async doubleFor(amount: number): Promise<void> {
    const { spot } = this;
    const asked = this.table.ask?.n;
    this.choosing = null;
    const cost = await this.costOfLess(amount);
    if (this.table.ask?.n !== asked) return; // time ran out first
    this.#choose("double", { command: "Double", spot, amount }, "double", this.#base, cost);
  }

  insure(amount: number): void {
    if (this.#isUnheard("insure") || this.#isEarly(() => this.insure(amount)) || this.kind !== "insurance") return;
    this.choosing = null;
    if (amount > this.table.stack) return this.table.refuse(words.table.refused.stack(this.table.stack), [], "insure");
    const name = amount ? "insure" : "decline";
    // declining is scored as if insurance had been full
    this.#choose(name, { command: "Insure", spot: this.spot, amount }, name, amount || (this.insurance?.most ?? 0));
  }

  blackjack(keep: boolean): void {
    if (this.#isUnheard("take") || this.#isEarly(() => this.blackjack(keep)) || this.kind !== "blackjack") return;
    const name = keep ? "keep" : "take";
    this.#choose(name, { command: keep ? "KeepBlackjack" : "TakeBlackjack", spot: this.spot }, name);
  }

  /** While disconnected, nothing can be chosen or scored. */
  #isUnheard(at: string): boolean {
    if (this.table.link.kind === "open") return false;
    this.table.refuse(words.table.disconnected, [], at);
    return true;
  }

  #isEarly(act: () => void): boolean {
    if (this.table.idle && !this.table.sent) return false;
    this.#early = { act, until: Date.now() + KEPT_FOR };
    return true;
  }

  /** Motion has stopped: perform the action chosen a moment ago, if it is possible. */
  rested(): void {
    const early = this.#early;
    this.#early = null;
    this.choosing = null;
    this.guarded = null;
    if (early && Date.now() < early.until && this.table.isAsked) early.act();
  }
}
