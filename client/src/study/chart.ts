// The strategy chart as laid out by the server.

import type { CellData, ChartCell, ChartPage } from "../wire";

export function cellAt(page: ChartPage, lit: CellData | null): ChartCell | null {
  const section = page.sections.find((one) => one.name === lit?.section);
  const row = section?.rows.find((one) => one.first <= Number(lit?.row) && Number(lit?.row) <= one.last);
  return row?.cells[lit?.column ?? -1] ?? null;
}

/** The CSS class of a cell, which depends on its first play. */
export const playClass = (sign: string): string => (/^[HSDPR]/.test(sign) ? `play-${sign[0]!.toLowerCase()}` : "");
