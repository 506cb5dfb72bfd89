// Scales for the plots.

import type { EdgePoint } from "../wire";

export interface Axis {
  low: number;
  high: number;
  ticks: number[];
}

/** Height of a plot and the margins around the drawing. */
export interface Size {
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Round tick values that cover both ends. */
export function axisOf(low: number, high: number, wanted = 5): Axis {
  if (!(high > low)) {
    const half = Math.abs(low) / 2 || 1;
    return axisOf(low - half, high + half, wanted);
  }
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((one) => one * power >= rough * 0.999) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
  return { low: first * step, high: last * step, ticks };
}

/** Map a value to a pixel position. */
export function scale(axis: Axis, from: number, to: number): (value: number) => number {
  const span = axis.high - axis.low || 1;
  return (value) => from + ((value - axis.low) / span) * (to - from);
}

export const Z95 = 1.96;

/** Half the width of the 95% interval; 0 if the error is unknown. */
export const margin = (found: { standard_error: number | null }): number => Z95 * (found.standard_error ?? 0);

/** A logarithmic axis with powers of ten, from the first value to the last. */
export function decades(first: number, last: number): Axis {
  const low = Math.log10(first);
  const high = Math.max(Math.log10(last), low + 1);
  const from = Math.ceil(low - 1e-9);
  const ticks = Array.from({ length: Math.floor(high + 1e-9) - from + 1 }, (_, place) => from + place);
  return { low, high, ticks };
}

const SETTLED = 100; // ignore the wide band in the first hundredth of the rounds

/** The points that are drawn: those whose band has settled a little. */
export function settled(points: EdgePoint[]): EdgePoint[] {
  const from = (points.at(-1)?.rounds ?? 0) / SETTLED;
  return points.filter((point) => point.rounds >= from);
}

/** The axis for the edge: the whole band of these points and the exact line. */
export function edgeAxis(points: EdgePoint[], exact: number | null): Axis {
  const ends = settled(points).flatMap((point) => [
    -point.ev - margin(point),
    -point.ev + margin(point),
  ]);
  if (exact !== null) ends.push(exact);
  const known = ends.filter(Number.isFinite);
  return known.length ? axisOf(Math.min(...known), Math.max(...known)) : axisOf(-0.01, 0.01);
}

export function path(points: { x: number; y: number }[]): string {
  return points.map(({ x, y }, place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/** The area between two lines. */
export function band(points: { x: number; low: number; high: number }[]): string {
  const upper = points.map(({ x, high }) => ({ x, y: high }));
  const lower = points.map(({ x, low }) => ({ x, y: low }));
  return `${path([...upper, ...lower.reverse()])}Z`;
}

/** Shorten 1,500,000 to 1.5 M. */
export function short(value: number): string {
  if (value >= 1e9) return `${Number((value / 1e9).toPrecision(3))} G`;
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`;
  if (value >= 1e3) return `${Number((value / 1e3).toPrecision(3))} k`;
  return String(value);
}

/** Pick at most `most` items, evenly spaced and including the last, for tables people read. */
export function thinned<T>(items: T[], most: number): T[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, place) => items[Math.round(place * step)]!);
}
