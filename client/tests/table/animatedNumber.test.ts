import { expect, it } from "vitest";
import { between } from "../../src/table/animatedNumber.svelte";

it("shows only whole dollars between whole dollars", () => {
  const shares = [0, 0.1, 0.33, 0.5, 0.77, 1];
  expect(shares.map((share) => between(1_000, 2_000, share))).toEqual([1_000, 1_100, 1_300, 1_500, 1_800, 2_000]);
  expect(between(1_000, 1_333, 0.5)).toBe(1_167);
  expect(between(0, 500_000, 0.5)).toBe(250_000);
});
