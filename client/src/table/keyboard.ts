// Keyboard control of play and betting.

import { tick } from "svelte";
import { words } from "../i18n";
import type { Coaching } from "./coaching.svelte";
import { letsActs, meaning } from "../lib/keys/keys";
import { wagerOn } from "./felt";
import type { Playing, PlaceName } from "./play.svelte";
import { speech } from "./speech.svelte";
import { CHIPS } from "./wagers";
import type { Wager } from "../wire";

export interface Page {
  why(): void; // opens the coach if it is in a drawer
  escape?(): boolean; // returns whether something was closed
}

const text = words.table;

export class Keyboard {
  constructor(
    private readonly playing: Playing,
    private readonly coaching: Coaching,
    private readonly page: Page,
  ) {}

  press(event: KeyboardEvent): void {
    if (event.key === "Escape") return this.#escape();
    if (!letsActs(event)) return;
    if (!this.playing.table.seat && !/^[lgLG$]$/.test(event.key)) return;
    const isDone = this.playing.kind === "bet" ? this.#bet(event) : this.#play(event);
    if (isDone) event.preventDefault();
  }

  #escape(): void {
    const { table } = this.playing;
    if (table.celebration) return table.endCelebration(table.celebration.key);
    if (this.page.escape?.()) return;
    this.playing.choosing = null;
    this.playing.guarded = null;
    table.refusal = null;
    table.opened = null;
  }

  // --- play ---

  #play(event: KeyboardEvent): boolean {
    const name = meaning(event.key, "play");
    if (!name) return false;
    switch (name) {
      case "hit":
      case "stand":
      case "split":
      case "surrender":
      case "rescue":
        this.#action(name);
        return true;
      case "double":
        if (event.shiftKey && this.playing.buttons.some((button) => button.forLess)) this.playing.choosing = "double";
        else this.#action("double");
        return true;
      case "insure":
        this.playing.insure(this.playing.insurance?.most ?? 0);
        return true;
      case "decline":
        this.playing.insure(0);
        return true;
      case "take":
        this.playing.blackjack(false);
        return true;
      case "keep":
        this.playing.blackjack(true);
        return true;
      default:
        return this.#tell(name);
    }
  }

  #action(place: PlaceName): void {
    this.playing.press(place);
  }

  // --- betting ---

  #bet(event: KeyboardEvent): boolean {
    const { betting } = this.playing;
    const isOnButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    if (!betting.isOpen) {
      this.playing.table.skip();
      return false;
    }
    if (/^[1-9]$/.test(event.key)) return this.#spot(Number(event.key));
    if (event.key === "Enter") {
      if (isOnButton && !isWager(event.target)) return false;
      void betting.deal();
      return true;
    }
    if (event.key === "Backspace") {
      if (event.shiftKey) betting.clear();
      else betting.undo();
      return true;
    }
    if (event.key.startsWith("Arrow")) return this.#aim(event.key);
    const name = meaning(event.key === "−" ? "-" : event.key === "=" ? "+" : event.key, "bet");
    switch (name) {
      case "again":
        betting.repeat();
        return true;
      case "doubleAll":
        betting.double();
        return true;
      case "more":
        betting.add(betting.chosen, betting.aim);
        return true;
      case "less":
        betting.take(betting.chosen, betting.aim);
        return true;
      case "smaller":
        return this.#chip(-1);
      case "larger":
        return this.#chip(1);
      case "jackpot1":
        betting.toggle(betting.chosen, "jackpot 1");
        return true;
      case "jackpot2":
        betting.toggle(betting.chosen, "jackpot 2");
        return true;
      case "type":
        document.querySelector<HTMLInputElement>("[data-typing]")?.focus();
        return true;
      default:
        return name ? this.#tell(name) : false;
    }
  }

  #spot(number: number): boolean {
    const { betting, table } = this.playing;
    if (!table.mySpots.includes(number)) return false;
    betting.open(number);
    speech.say(`${text.spot(number)}.`);
    return true;
  }

  #chip(step: number): boolean {
    const { betting } = this.playing;
    const { chips } = betting;
    const at = chips.indexOf(betting.chip);
    betting.choose(chips[Math.max(0, Math.min(chips.length - 1, at + step))] ?? CHIPS[1]);
    speech.say(`${text.chip(betting.chip)}.`);
    return true;
  }

  /** Bonus Cards at the top; up, base and down in the middle; jackpots at the bottom. */
  #aim(key: string): boolean {
    const { betting } = this.playing;
    betting.begun = true;
    const offered = new Set<Wager>(["hand", ...betting.offered]);
    const rows: Wager[][] = [
      ["mtd b1", "mtd b2", "mtd b3", "mtd b4", "mtd b5"],
      ["mtd up", "hand", "mtd down"],
      ["jackpot 1", "jackpot 2"],
    ];
    const grid = rows.map((row) => row.filter((wager) => offered.has(wager))).filter((row) => row.length);
    const row = Math.max(0, grid.findIndex((found) => found.includes(betting.aim)));
    const column = grid[row]?.indexOf(betting.aim) ?? 0;
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key] ?? [0, 0];
    const next = grid[Math.max(0, Math.min(grid.length - 1, row + (step[0] ?? 0)))] ?? [];
    const share = (grid[row]?.length ?? 1) > 1 ? column / ((grid[row]?.length ?? 2) - 1) : 0.5;
    const place = step[0] ? Math.round(share * (next.length - 1)) : column + (step[1] ?? 0);
    betting.aim = next[Math.max(0, Math.min(next.length - 1, place))] ?? "hand";
    void tick().then(() => document.querySelector<HTMLElement>(`.board [data-wager="${betting.aim}"]`)?.focus());
    return true;
  }

  // --- reading aloud ---

  #tell(name: string): boolean {
    const { table } = this.playing;
    switch (name) {
      case "why":
        this.coaching.toggle();
        this.page.why();
        return true;
      case "last":
        speech.say(table.log.findLast((line) => line.spoken)?.spoken ?? "");
        return true;
      case "money":
        speech.say(text.say.balance(table.stack, table.inPlay));
        return true;
      case "tell":
        speech.say(this.#tableInWords());
        return true;
      default:
        return false;
    }
  }

  #tableInWords(): string {
    const { felt, mySpots } = this.playing.table;
    const parts = felt.dealerWords ? [text.say.dealer(felt.dealerWords.spoken || felt.dealerWords.text)] : [];
    for (const number of mySpots) {
      const spot = felt.spots[number];
      spot?.hands.forEach((hand, index) => {
        if (!hand.cards.length) return;
        parts.push(text.say.hand(number, spot.hands.length > 1 ? text.hand(index + 1) : "", hand.words, wagerOn(hand)));
      });
    }
    return parts.join(" ") || text.say.noCards;
  }
}

/** Space adds a chip to a circle; Enter deals from anywhere. */
const isWager = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset["wager"] !== undefined;
