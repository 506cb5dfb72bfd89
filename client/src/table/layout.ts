// The print on the felt for these rules, laid out by the server.

import { get } from "../lib/api";
import type { Wager } from "../wire";

export interface PrintLine {
  kind: "pay" | "part" | "note";
  words: string;
  pays: string;
}

export interface Block {
  title: string;
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
  title_size: number;
  line_height: number;
  lines: PrintLine[];
}

export interface Arc {
  words: string;
  size: number;
  spacing: number;
  strong: boolean;
  x0: number;
  y0: number;
  cx: number;
  cy: number;
  x1: number;
  y1: number;
}

export interface JackpotPrint {
  game: number;
  title: string;
  wager: string;
  pays: PrintLine[];
}

export interface Layout {
  name: { words: string; x: number; y: number; size: number };
  arcs: Arc[];
  blocks: Block[];
  spots: { number: number; wagers: { name: string }[] }[];
  jackpots: JackpotPrint[];
}

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
