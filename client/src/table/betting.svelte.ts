// The player's betting phase: wagers on their own spots, with undo, double, repeat and typing. Changes
// appear at once and are sent a moment later. If the server refuses them, its state is restored.

import type { Wager } from "../wire";
import { words } from "../i18n";
import { isOn } from "./felt";
import type { LiveTable } from "./live.svelte";
import { speech } from "./speech.svelte";
import * as wagers from "./wagers";
import type { PlacedWagers, Options, WagerResult } from "./wagers";

type Spots = Record<number, PlacedWagers>;

/** Stored across reloads. */
interface Kept {
  table: number;
  chip: number;
  last: Spots;
}

const KEPT = "ventiuna.wagers";
const SEND_AFTER = 150; // milliseconds after the last change
const { refused } = words.table;

export class Betting {
  drafts = $state<Spots>({});
  chosen = $state(0); // the spot whose board is open
  chip = $state(500); // cents
  aim = $state<Wager>("hand");
  last = $state.raw<Spots>({}); // wagers of the previous round
  begun = $state(false); // whether the board has replaced the last round's hand
  #past = $state.raw<Spots[]>([]);
  #timer: ReturnType<typeof setTimeout> | null = null;
  #sending: Promise<boolean> | null = null;
  #dirty = new Set<number>();
  #answered = new Map<number, PlacedWagers>(); // wagers confirmed by an answer whose event hasn't arrived yet

  constructor(readonly table: LiveTable) {
    const { chip, last } = this.#kept();
    if (chip) this.chip = chip;
    if (last) this.last = last;
  }

  get options(): Options {
    const found = (this.table.ask?.kind === "wagers" && this.table.ask.options) || [];
    return new Map(found.flatMap((option) => (option.kind === "wager" ? [[option.wager, option] as const] : [])));
  }

  get isOpen(): boolean {
    return this.table.idle && this.table.ask?.kind === "wagers" && this.table.seat !== null;
  }

  /** The last round's hand stays on its spot until a wager is chosen. */
  get isLookingBack(): boolean {
    const { felt, mySpots } = this.table;
    return felt.past && !this.begun && !this.total && mySpots.some((spot) => felt.spots[spot]?.hands.some(isOn));
  }

  /** The spot whose board is open. */
  get board(): number {
    return this.isOpen && !this.isLookingBack ? this.chosen : 0;
  }

  open(spot: number): void {
    this.chosen = spot;
    this.begun = true;
  }

  choose(chip: number): void {
    this.chip = chip;
    this.begun = true;
    this.#keep();
  }

  /** Wagers offered at this table besides the base wager. */
  get offered(): Wager[] {
    return wagers.SIDE_WAGERS.filter((wager) => this.options.get(wager)?.legal);
  }

  /** Side bets with a position here, in every phase of a round. */
  get known(): Wager[] {
    return this.table.sides.length ? this.table.sides : this.offered;
  }

  get chips(): number[] {
    const unit = this.options.get("hand")?.unit ?? 100;
    return wagers.CHIPS.filter((chip) => chip % unit === 0 || unit % chip === 0);
  }

  laid(spot: number): PlacedWagers {
    return this.drafts[spot] ?? {};
  }

  get total(): number {
    return this.table.mySpots.reduce((all, spot) => all + wagers.sum(this.laid(spot)), 0);
  }

  /** The seat's chips that aren't on the felt yet. Placed wagers have already left the stack. */
  get left(): number {
    const placed = this.table.mySpots.reduce((all, spot) => all + wagers.sum(this.#shown(spot)), 0);
    return this.table.stack + placed - this.total;
  }

  get lastTotal(): number {
    return this.table.mySpots.reduce((all, spot) => all + wagers.sum(this.last[spot] ?? {}), 0);
  }

  /** One-click buy-in: 100 times the minimum wager, as far as the wallet allows. */
  get refill(): number {
    const { wallet = 0 } = this.table.you ?? {};
    return wallet < this.least ? 0 : Math.min(100 * this.least, wallet);
  }

  get least(): number {
    return this.options.get("hand")?.least ?? 500;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  // --- updates from the table ---

  /** Adopt the server's wagers if none of our changes are pending. */
  follow(): void {
    const { mySpots, felt } = this.table;
    for (const spot of mySpots) {
      const answered = this.#answered.get(spot);
      if (answered && wagers.same(answered, this.#shown(spot))) this.#answered.delete(spot);
      if (this.#dirty.has(spot) || this.#sending) continue;
      const placed = felt.stage === "wagers" ? this.#placed(spot) : {};
      if (!wagers.same(placed, this.laid(spot))) this.drafts[spot] = placed;
    }
    if (!mySpots.includes(this.chosen)) this.chosen = mySpots[0] ?? 0;
    if (!this.options.get(this.aim)?.legal && this.options.size) this.aim = "hand";
  }

  /** The deal starts: save the wagers to repeat. */
  dealt(): void {
    const mine: Spots = {};
    for (const spot of this.table.mySpots) {
      const laid = this.#shown(spot);
      if (laid.hand) mine[spot] = laid;
    }
    if (Object.keys(mine).length) {
      this.last = mine;
      this.#keep();
    }
    this.begun = false;
    this.#past = [];
    this.#answered.clear();
    this.#dirty.clear();
    this.drafts = {};
  }

  // --- changes ---

  add(spot: number, wager: Wager, chip = this.chip): void {
    this.#choose(spot, wager);
    const before = this.laid(spot)[wager] ?? 0;
    const isLaid = this.#try(spot, wager, wagers.add(this.options, this.laid(spot), wager, chip, this.left));
    const now = this.laid(spot)[wager] ?? 0;
    if (!isLaid || this.options.get(wager)?.fixed != null || now - before === chip) return;
    const told = words.table.became(chip, now - before, now);
    this.table.note(told);
    speech.say(told);
  }

  take(spot: number, wager: Wager, chip = this.chip): void {
    this.#choose(spot, wager);
    this.#change({ [spot]: wagers.take(this.options, this.laid(spot), wager, chip) });
  }

  toggle(spot: number, wager: Wager): void {
    this.#choose(spot, wager);
    const laid = this.laid(spot);
    const amount = laid[wager] ? 0 : (this.options.get(wager)?.fixed ?? this.chip);
    this.#try(spot, wager, wagers.put(this.options, laid, wager, amount, this.left));
  }

  type(spot: number, text: string): boolean {
    const left = this.left + wagers.sum(this.laid(spot));
    return this.#try(spot, "hand", wagers.typed(this.options, text, left), "type");
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return this.table.refuse(refused.nothingToUndo, [], "undo");
    this.#past = this.#past.slice(0, -1);
    this.#show({ ...this.#nothing, ...before }); // a spot without a draft was empty
  }

  clear(): void {
    this.#change(this.#nothing);
  }

  get #nothing(): Spots {
    return Object.fromEntries(this.table.mySpots.map((spot) => [spot, {}]));
  }

  /** A first wager for those who haven't placed any: twice the minimum. After that, 0. */
  get starter(): number {
    if (!this.chosen || this.lastTotal || this.canUndo) return 0;
    const amount = 2 * this.least;
    return Math.min(amount, this.options.get("hand")?.most ?? amount) <= this.left ? amount : this.least;
  }

  double(): void {
    if (!this.total && this.lastTotal) return this.repeat(2);
    if (!this.total) return this.table.refuse(refused.nothingToDouble, [], "doubleAll");
    const next: Spots = {};
    let { left } = this;
    for (const spot of this.table.mySpots) {
      const laid = wagers.doubled(this.options, this.laid(spot), left);
      left -= wagers.sum(laid) - wagers.sum(this.laid(spot));
      next[spot] = laid;
    }
    this.#change(next);
  }

  /** Place the wagers of the last round again, or twice as much. */
  repeat(times = 1): void {
    if (!this.lastTotal) return this.table.refuse(refused.nothingToRepeat, [], "repeat");
    const next: Spots = {};
    let left = this.left + this.total;
    for (const spot of this.table.mySpots) {
      let laid: PlacedWagers = {};
      for (const [wager, amount] of Object.entries(this.last[spot] ?? {}) as [Wager, number][]) {
        const tried = wagers.put(this.options, laid, wager, amount, left);
        if ("laid" in tried) {
          left -= amount;
          laid = tried.laid;
        } else if (wager === "hand") this.table.refuse(tried.reason, tried.rules, "repeat");
      }
      next[spot] = laid;
      if (times === 1) continue;
      next[spot] = wagers.doubled(this.options, laid, left);
      left -= wagers.sum(next[spot]) - wagers.sum(laid);
    }
    this.#change(next);
  }

  /** All wagers are down: tell the table not to wait for us. */
  async deal(): Promise<void> {
    if (!this.total && this.lastTotal) this.repeat();
    if (!this.total && this.starter) this.#try(this.chosen, "hand", wagers.put(this.options, {}, "hand", this.starter, this.left), "deal");
    if (!this.total) return this.table.refusal ? undefined : this.table.refuse(refused.nothing, [], "deal");
    if (await this.flush()) await this.table.act({ command: "Ready" }, "deal");
  }

  #choose(spot: number, wager: Wager): void {
    this.open(spot);
    this.aim = wager;
  }

  #try(spot: number, wager: Wager, tried: WagerResult, at = `wager ${spot} ${wager}`): boolean {
    if ("laid" in tried) this.#change({ [spot]: tried.laid });
    else this.table.refuse(tried.reason, tried.rules, at);
    return "laid" in tried;
  }

  #change(next: Spots): void {
    this.#past = [...this.#past.slice(-50), $state.snapshot(this.drafts) as Spots];
    this.#show(next);
  }

  #show(next: Spots): void {
    this.table.refusal = null;
    for (const [spot, laid] of Object.entries(next)) {
      this.drafts[Number(spot)] = laid;
      this.#dirty.add(Number(spot));
    }
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), SEND_AFTER);
  }

  // --- sending ---

  /** Send all changes to the server. Returns true once all of them are accepted. */
  async flush(): Promise<boolean> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#sending) await this.#sending;
    this.#sending = this.#send().finally(() => (this.#sending = null));
    const done = await this.#sending;
    this.follow();
    return done;
  }

  async #send(): Promise<boolean> {
    for (const spot of [...this.#dirty]) {
      const laid = $state.snapshot(this.laid(spot)) as PlacedWagers;
      this.#dirty.delete(spot);
      if (wagers.same(laid, this.#placed(spot))) continue;
      const command = laid.hand
        ? wagers.command(spot, this.table.person, laid)
        : ({ command: "WithdrawWagers", spot } as const);
      const answer = await this.table.socket.send(command, this.table.ask?.n ?? null);
      if (answer.type === "refused") {
        this.table.refuse(answer.reason, answer.rules, `wager ${spot} hand`);
        this.drafts[spot] = this.#placed(spot);
        return false;
      }
      this.#answered.set(spot, laid);
    }
    return true;
  }

  /** The server's state, from its last answer or from the felt. */
  #placed(spot: number): PlacedWagers {
    return this.#answered.get(spot) ?? this.#shown(spot);
  }

  #shown(spot: number): PlacedWagers {
    const shown = this.table.felt.spots[spot];
    return shown ? wagers.placedWagers(shown) : {};
  }

  // --- stored for the next visit ---

  #keep(): void {
    try {
      localStorage.setItem(KEPT, JSON.stringify({ table: this.table.id, chip: this.chip, last: this.last } satisfies Kept));
    } catch {
      // the browser doesn't allow storage
    }
  }

  #kept(): Partial<Kept> {
    try {
      const { table, chip, last } = JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Kept>;
      return table === this.table.id ? { chip, last } : { chip };
    } catch {
      return {};
    }
  }
}
