import { describe, expect, it } from "vitest";
import { CLOCKS, clocksOf, houseRequest, ownRequest, type TableForm } from "../src/lobby/tableRequest";

const form: TableForm = {
  rules: "wsgc-2021",
  name: " ",
  bots: 2,
  strategy: "steady",
  clocks: { ...CLOCKS },
  jackpots: { "1": 12 },
  reason: "",
};

describe("a table that is form", () => {
  it("names only those clocks that are not as usual, in milliseconds", () => {
    expect(clocksOf(CLOCKS)).toEqual({});
    expect(clocksOf({ ...CLOCKS, decision: 45, cut: 2.5 })).toEqual({ decision: 45_000, cut: 2_500 });
  });

  it("has a name and a reason where nobody gave one", () => {
    expect(houseRequest(form, "Table 3", "asked for")).toEqual({
      rules: "wsgc-2021",
      name: "Table 3",
      clocks: {},
      jackpots: { "1": 12 },
      reason: "asked for",
    });
  });

  it("asks for no clocks of its own where it is for one person alone", () => {
    expect(ownRequest(form)).toEqual({ rules: "wsgc-2021", name: "", bots: 2, strategy: "steady" });
  });
});
