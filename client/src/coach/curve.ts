// Where the lines of a balance curve run, in a frame of given size.

import type { CurvePoint } from "./types";

const BAND = 1.96; // standard deviations around the average that 95 % of courses stay within

export interface Drawn {
  line: string;
  average: string;
  band: string;
  zero: number;
}

export function drawn(points: CurvePoint[], width: number, height: number): Drawn {
  const all = [{ net: 0, expected: 0, deviation: 0 }, ...points];
  const low = Math.min(...all.map((one) => Math.min(one.net, one.expected - BAND * one.deviation)));
  const high = Math.max(...all.map((one) => Math.max(one.net, one.expected + BAND * one.deviation)));
  const room = high - low || 1;
  const x = (index: number): string => ((index / (all.length - 1 || 1)) * width).toFixed(1);
  const y = (value: number): string => (height - ((value - low) / room) * height).toFixed(1);
  const path = (values: number[]): string => values.map((value, index) => `${x(index)} ${y(value)}`).join("L");
  const upper = all.map((one, index) => `${x(index)} ${y(one.expected + BAND * one.deviation)}`);
  const lower = all.map((one, index) => `${x(index)} ${y(one.expected - BAND * one.deviation)}`).reverse();
  return {
    line: `M${path(all.map((one) => one.net))}`,
    average: `M${path(all.map((one) => one.expected))}`,
    band: `M${[...upper, ...lower].join("L")}Z`,
    zero: Number(y(0)),
  };
}
