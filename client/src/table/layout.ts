// The print on the felt for these rules, laid out by the server.

import { get } from "../lib/api";
import type { Layout, Wager } from "../wire";

const WAGERS: Record<string, Wager> = {
  up: "mtd up",
  down: "mtd down",
  b1: "mtd b1",
  b2: "mtd b2",
  b3: "mtd b3",
  b4: "mtd b4",
  b5: "mtd b5",
  j1: "jackpot 1",
  j2: "jackpot 2",
};

export const printed = (rules: string): Promise<Layout> => get<Layout>("/rules/layout", { rules });

/** Side bets with a position on the felt. */
export function placesOf(layout: Layout): Wager[] {
  return (layout.spots[0]?.wagers ?? []).flatMap(({ name }) => WAGERS[name] ?? []);
}
