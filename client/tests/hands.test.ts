import { describe, expect, it } from "vitest";
import { itemWords } from "../src/coach/types";

describe("a class of hands", () => {
  it("is said in words", () => {
    const against = (hand: string, up: string) => `${hand} against ${up}`;
    expect(itemWords("soft 17 v A", against)).toBe("soft 17 against A");
    expect(itemWords("insurance", against)).toBe("Insurance");
  });
});
