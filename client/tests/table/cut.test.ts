import { describe, expect, it } from "vitest";
import { bytesOf, commitment, Cutter, hex } from "../../src/table/cut";
import type { ShoeData } from "../../src/wire";
import { ask } from "./wire";

const COMMITTED = "ab".repeat(32);
const shoe = { next_commitment: COMMITTED } as ShoeData;

describe("the cut of a shoe", () => {
  it("opens the value it committed to", async () => {
    const cutter = new Cutter();
    const committed = await cutter.answer(ask(5, { kind: "cut_commit" }), shoe, 3);
    const opened = await new Cutter().answer(ask(7, { kind: "cut_open" }), shoe, 3); // as after a reload
    if (committed?.command !== "CommitCut" || opened?.command !== "OpenCut") throw new Error("no cut");
    expect(await commitment(COMMITTED, 3, bytesOf(opened.value))).toBe(committed.commitment);
    expect(await commitment(COMMITTED, 4, bytesOf(opened.value))).not.toBe(committed.commitment);
  });

  it("is hashed as documented", async () => {
    const text = [...new TextEncoder().encode("ventiuna-cut-1\n"), ...bytesOf(COMMITTED), 3, ...new Uint8Array(32)];
    const expected = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(text))));
    expect(await commitment(COMMITTED, 3, new Uint8Array(32))).toBe(expected);
  });

  it("answers a prompt once, and only with a seat", async () => {
    const cutter = new Cutter();
    expect(await cutter.answer(ask(5, { kind: "cut_commit" }), shoe, null)).toBeNull();
    expect(await cutter.answer(ask(5, { kind: "cut_commit" }), shoe, 3)).not.toBeNull();
    expect(await cutter.answer(ask(5, { kind: "cut_commit" }), shoe, 3)).toBeNull();
    expect(await cutter.answer(ask(6), shoe, 3)).toBeNull();
  });
});
