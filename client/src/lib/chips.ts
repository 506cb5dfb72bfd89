// Where the player's chips are: in the wallet and at tables.

import { get } from "./api";
import type { LobbyData, WalletData } from "../wire";

export const askChips = (): Promise<WalletData> => get<WalletData>("/wallet");

/** The player's chips at other tables, with the names of the tables. */
export async function chipsBeside(here: number): Promise<{ table: number; name: string; stack: number }[]> {
  const [chips, lobby] = await Promise.all([askChips(), get<LobbyData>("/lobby")]).catch(() => [null, null] as const);
  const names = new Map(lobby?.tables.map((table) => [table.id, table.name]));
  return (chips?.seats ?? [])
    .filter((seat) => seat.table !== here && seat.stack > 0)
    .map(({ table, stack }) => ({ table, stack, name: names.get(table) ?? String(table) }));
}
