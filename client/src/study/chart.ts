// The strategy chart as laid out by the server.

import type { CellData } from "../wire";

export interface ChartCell {
  text: string;
  play: string; // H, S, D, P or R; empty if the hand can't occur
  sentence: string;
}

export interface ChartRow {
  label: string;
  first: number; // first total of the row
  last: number;
  cells: ChartCell[];
}

export interface ChartSection {
  name: string; // hard, soft, pairs, doubled.hard
  title: string;
  rows: ChartRow[];
}

export function cellAt(page: ChartPageData, lit: CellData | null): ChartCell | null {
  const section = page.sections.find((one) => one.name === lit?.section);
  const row = section?.rows.find((one) => one.first <= Number(lit?.row) && Number(lit?.row) <= one.last);
  return row?.cells[lit?.column ?? -1] ?? null;
}

export interface ChartPageData {
  title: string;
  subtitle: string;
  ups: string[];
  sections: ChartSection[];
  legend: { sign: string; words: string }[];
  notes: string[];
  footer: string[];
}

export interface StrategyData {
  rules: string;
  fingerprint: string;
  house_edge: number;
  cost_points: number;
  strategy_class: string;
  page: ChartPageData;
  command: string;
}

/** The CSS class of a cell, which depends on its first play. */
export const playClass = (sign: string): string => (/^[HSDPR]/.test(sign) ? `play-${sign[0]!.toLowerCase()}` : "");
