// Scales of our own small plots.

export interface Axis {
  low: number;
  high: number;
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Round ticks that cover both ends. */
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

/** From a value to a place between two pixels. */
export function scale(axis: Axis, from: number, to: number): (value: number) => number {
  const span = axis.high - axis.low || 1;
  return (value) => from + ((value - axis.low) / span) * (to - from);
}

export interface Point {
  rounds: number;
  ev: number;
  standard_error: number;
}

export const Z95 = 1.96;

/** The edge's axis: the whole band from where it has settled a little, and the exact line. */
export function edgeAxis(points: Point[], exact: number | null): Axis {
  const settled = points.slice(Math.floor(points.length / 8));
  const ends = settled.flatMap((point) => [
    -point.ev - Z95 * point.standard_error,
    -point.ev + Z95 * point.standard_error,
  ]);
  if (exact !== null) ends.push(exact);
  const known = ends.filter(Number.isFinite);
  return known.length ? axisOf(Math.min(...known), Math.max(...known)) : axisOf(-0.01, 0.01);
}

export function path(points: [number, number][]): string {
  return points.map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/** 1,500,000 to 1.5 M. */
export function short(value: number): string {
  if (value >= 1e9) return `${Number((value / 1e9).toPrecision(3))} G`;
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`;
  if (value >= 1e3) return `${Number((value / 1e3).toPrecision(3))} k`;
  return String(value);
}

/** At most so many of many, evenly, the last among them: for tables that people read. */
export function thinned<T>(items: T[], most: number): T[] {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, place) => items[Math.round(place * step)]!);
}
