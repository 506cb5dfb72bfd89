// The cost of a spot's wagers per round, and whether the meters have reached break-even, from the analyzer.

import { get, post } from "../lib/api";
import type { LiveTable } from "./live.svelte";
import { command, same, type PlacedWagers } from "./wagers";
import type { CostData, MeterCost } from "../wire";

const SETTLED = 120; // milliseconds to wait after the last change
const COUNTING_AFTER = 150; // milliseconds before "calculating" appears

export class Costs {
  data = $state.raw<CostData | null>(null);
  failed = $state(false);
  counting = $state(false);
  #about: PlacedWagers | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #asked = 0;

  constructor(private readonly table: LiveTable) {}

  /** Update for these wagers, a moment after the last change. */
  follow(laid: PlacedWagers): void {
    if (this.#about && same(this.#about, laid)) return;
    this.#about = laid;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(laid), SETTLED);
  }

  async #ask(laid: PlacedWagers): Promise<void> {
    const asked = ++this.#asked;
    const { base, mtd, jackpots } = command(0, "", laid);
    const timer = setTimeout(() => (this.counting = asked === this.#asked), COUNTING_AFTER);
    try {
      const found = await post<CostData>(`/tables/${this.table.id}/costs`, { base, mtd, jackpots });
      if (asked === this.#asked) this.#take(found);
    } catch {
      if (asked === this.#asked) this.failed = true;
    } finally {
      clearTimeout(timer);
      if (asked === this.#asked) this.counting = false;
    }
  }

  /** Update only the meters and their lights. */
  async lights(): Promise<void> {
    if (!Object.keys(this.table.felt.table?.jackpots ?? {}).length || !this.table.person) return;
    const found = await get<CostData>(`/tables/${this.table.id}/costs`).catch(() => null);
    if (found) this.#light(found.jackpots);
  }

  #take(found: CostData): void {
    this.data = found;
    this.failed = false;
    this.#light(found.jackpots);
  }

  #light(gauges: MeterCost[]): void {
    this.table.lights = Object.fromEntries(
      gauges.map((gauge) => [String(gauge.game), { good: gauge.light, words: gauge.light_words }]),
    );
  }
}
