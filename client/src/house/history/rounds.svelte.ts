// The player's own rounds, newest first, loaded page by page. Filters apply to the loaded rounds.

import { errorMessage, get } from "../../lib/api";
import type { PlayedRound } from "../../wire";

export type Result = "all" | "won" | "lost" | "even" | "void";
const PAGE = 40;

export function fits(round: PlayedRound, result: Result, table: number): boolean {
  if (table && round.table !== table) return false;
  if (result === "all") return true;
  if (result === "void") return round.outcome === "void";
  const net = round.outcome === "closed" ? round.net : null;
  if (net === null || net === undefined) return false;
  return result === "won" ? net > 0 : result === "lost" ? net < 0 : net === 0;
}

export class Rounds {
  all = $state.raw<PlayedRound[]>([]);
  known = $state(false);
  more = $state(false); // whether there are older rounds
  problem = $state("");

  async load(): Promise<void> {
    this.problem = "";
    try {
      const last = this.all.at(-1)?.at;
      const found = await get<PlayedRound[]>("/history", { most: PAGE, before: last });
      this.all = [...this.all, ...found];
      this.more = found.length === PAGE;
    } catch (error) {
      this.problem = errorMessage(error);
    }
    this.known = true;
  }

  get tables(): { id: number; name: string }[] {
    return [...new Map(this.all.map((round) => [round.table, { id: round.table, name: round.table_name }])).values()];
  }
}
