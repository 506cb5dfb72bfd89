// Formats for the study pages: full edges, signed points, odds as one in n.

import { count } from "../lib/format";

const MINUS = "−";

/** A percentage with six decimals, without the % sign: 0.416871. */
export function edgeFigure(share: number): string {
  const text = Math.abs(share * 100).toFixed(6);
  return share < 0 && Number(text) !== 0 ? `${MINUS}${text}` : text;
}

/** Signed points of house edge; with three decimals, values of nearly zero get five. */
export function points(share: number, places = 3): string {
  const size = Math.abs(share * 100);
  const text = size.toFixed(places === 3 && size > 0 && size < 0.0005 ? 5 : places);
  if (Number(text) === 0) return "0.000";
  return `${share > 0 ? "+" : MINUS}${text}`;
}

/** The loss per $100, in cents below one dollar. */
export function perHundred(share: number): string {
  const dollars = Math.abs(share) * 100;
  return dollars < 0.995 ? `${Math.round(dollars * 100)}¢` : `$${dollars.toFixed(2)}`;
}

/** The n in "1 in n", such as 4,191 or 6.49; null if it never happens. */
export function oneIn(probability: number): string | null {
  if (!(probability > 0)) return null;
  const n = 1 / probability;
  return n < 100 ? Number(n.toFixed(n < 10 ? 2 : 1)).toString() : count(Math.round(n));
}

/** The meter as a share of a bar that ends at twice the break-even point. */
export function ofBreakEven(meter: number, even: number): number {
  return even > 0 ? Math.min(1, meter / (2 * even)) : 0;
}
