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

describe("a request for a new table", () => {
  it("includes only clocks that differ from the default, in milliseconds", () => {
    expect(clocksOf(CLOCKS)).toEqual({});
    expect(clocksOf({ ...CLOCKS, decision: 45, cut: 2.5 })).toEqual({ decision: 45_000, cut: 2_500 });
  });

  it("has a default name and reason", () => {
    expect(houseRequest(form, "Table 3", "requested")).toEqual({
      rules: "wsgc-2021",
      name: "Table 3",
      clocks: {},
      jackpots: { "1": 12 },
      reason: "requested",
    });
  });

  it("lists the procedures that the table requires", () => {
    const strict = houseRequest({ ...form, required: ["inspection", "hand_pay"] }, "Table 3", "requested");
    expect(strict).toMatchObject({ inspection: "required", hand_pay: "required" });
    expect(strict).not.toHaveProperty("supervisor");
  });

  it("has no clocks for a private table", () => {
    expect(ownRequest(form)).toEqual({ rules: "wsgc-2021", name: "", bots: 2, strategy: "steady" });
  });
});
