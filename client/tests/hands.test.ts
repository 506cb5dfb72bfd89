import { describe, expect, it } from "vitest";
import { capitalize } from "../src/lib/format";

describe("a type of hand", () => {
  it("is capitalized at the start of a line", () => {
    expect(capitalize("soft 17, against an ace")).toBe("Soft 17, against an ace");
    expect(capitalize("")).toBe("");
  });
});
