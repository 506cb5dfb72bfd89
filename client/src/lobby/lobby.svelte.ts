// Lobby data (tables, meters and offers), refreshed every few seconds.

import { get } from "../lib/api";
import { askChips } from "../lib/chips";
import { session } from "../lib/session.svelte";
import type { LobbyData, LobbyTable, TableView, WalletData } from "../wire";

const EVERY = 3_000;
const SOON = 1_000; // while the server is computing a figure

/** One of the player's seats, with the hand waiting there, if any. */
export interface Held {
  table: LobbyTable;
  stack: number;
  waits: string;
}

class Lobby {
  data = $state.raw<LobbyData | null>(null);
  chips = $state.raw<WalletData | null>(null);
  held = $state.raw<Held[]>([]);
  away = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watched = 0;

  /** Poll until the returned function is called. */
  watch(): () => void {
    this.#watched += 1;
    if (this.#watched === 1) void this.#again();
    return () => {
      this.#watched -= 1;
      if (!this.#watched) clearTimeout(this.#timer);
    };
  }

  async look(): Promise<void> {
    const [data, chips] = await Promise.all([
      get<LobbyData>("/lobby"),
      session.person ? askChips() : Promise.resolve(null),
    ]);
    const held = await heldOf(data, chips);
    Object.assign(this, { data, chips, held }); // in one step, so that nothing shifts later
  }

  async #again(): Promise<void> {
    clearTimeout(this.#timer);
    if (!document.hidden) {
      await this.look().then(
        () => (this.away = false),
        () => (this.away = true),
      );
    }
    if (this.#watched) this.#timer = setTimeout(() => void this.#again(), this.#misses ? SOON : EVERY);
  }

  get #misses(): boolean {
    const { offers = [], tables = [] } = this.data ?? {};
    return [...offers, ...tables].some((one) => one.edge === null);
  }
}

async function heldOf(data: LobbyData, chips: WalletData | null): Promise<Held[]> {
  const mine = (chips?.seats ?? []).flatMap((seat) => {
    const table = data.tables.find((one) => one.id === seat.table);
    return table ? [{ table, stack: seat.stack }] : [];
  });
  return Promise.all(mine.map(async (seat) => ({ ...seat, waits: await waitsAt(seat.table.id) })));
}

/** The table's current prompt for this player, as worded by the server; empty if it isn't their turn. */
async function waitsAt(table: number): Promise<string> {
  const found = await get<TableView>(`/tables/${table}`).catch(() => null);
  const ask = found?.ask;
  if (!ask || ask.kind === "wagers" || ask.kind.startsWith("cut")) return "";
  const own = ask.told.you?.[String(session.person?.id)];
  return own?.short ?? own?.text ?? "";
}

export const lobby = new Lobby();
