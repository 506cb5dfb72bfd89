import { describe, expect, it } from "vitest";
import { capital } from "../src/coach/types";

describe("a class of hands", () => {
  it("begins a line in the server's words", () => {
    expect(capital("soft 17, against an ace")).toBe("Soft 17, against an ace");
    expect(capital("")).toBe("");
  });
});
