import { configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import RulesChooser from "../src/study/RulesChooser.svelte";

// allow for a busy machine
configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 60_000 });

const flag = (name: string, meaning: string, value: string): object => ({
  name,
  kind: "flag",
  meaning,
  rules: [],
  values: [
    { value: "on", words: "on" },
    { value: "off", words: "off" },
  ],
  low: null,
  high: null,
  default: "off",
  how: "",
  presets: [{ preset: "house", value, words: value, standing: "house", allowed: ["on", "off"] }],
});
const soft = {
  ...flag("soft_17", "dealer on soft 17", "hit"),
  kind: "choice",
  values: [
    { value: "hit", words: "hit" },
    { value: "stand", words: "stand" },
  ],
};
const less = flag("double_for_less", "doubling for less", "off");
const problem = {
  field: "double_double",
  value: "on",
  rule: "R-051",
  message: "not together",
  fix: "Use double_double=off or soft_17=hit.",
  text: "double_double = on: not together (R-051). Use double_double=off or soft_17=hit.",
};

/** A server that rejects double-double when the dealer stands on soft 17. */
function answer(path: string, rules: string): unknown {
  if (path === "/rules") return [{ name: "house", title: "The house", document: "", game: "", decks: 6, fingerprint: "" }];
  if (path === "/rules/options") {
    return { parts: [{ name: "Cards", options: [soft, flag("double_double", "double-double down", "on"), less] }], jackpot_tables: [] };
  }
  if (path === "/rules/show") {
    const options = rules.includes("double_for_less=on") ? [{ name: "double_for_less", value: false }] : [];
    return { rules, title: "The house", game: "", preset: "house", fingerprint: "", options, departures: [], warnings: [] };
  }
  const isBad = rules.includes("soft_17=stand") && !rules.includes("double_double=off");
  return isBad ? { valid: false, rules, problems: [problem] } : { valid: true, rules, problems: [] };
}

beforeEach(() => {
  vi.stubGlobal("fetch", async (address: string) => {
    const url = new URL(address, "http://house");
    const data = answer(url.pathname, url.searchParams.get("rules") ?? "");
    return new Response(JSON.stringify(data), { headers: { "Content-Type": "application/json" } });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("choosing rules", () => {
  it("keeps the last valid rules, reports conflicts, and offers fixes", async () => {
    const chosen: string[] = [];
    render(RulesChooser, { value: "house", changed: (rules: string) => chosen.push(rules) });
    const stand = await screen.findByRole("button", { name: "stand" });
    await fireEvent.click(stand);
    await screen.findByText(/Not together/);
    expect(chosen.at(-1)).toBe("house");
    expect(stand.getAttribute("aria-pressed")).toBe("true"); // the choice stays visible
    const control = stand.closest("[data-option]");
    expect(control?.nextElementSibling?.textContent, "the contradiction is at its control").toMatch(/Not together/);
    expect(screen.getByRole("link", { name: "R-051" }).getAttribute("href")).toBe("#/rules/R-051");
    await fireEvent.click(screen.getByRole("button", { name: "double-double down: off" }));
    await waitFor(() => expect(chosen.at(-1)).toBe("house(soft_17=stand,double_double=off)"));
    expect(screen.queryByText(/Not together/)).toBeNull();
  });

  it("shows doubling for less as off with double-double", async () => {
    render(RulesChooser, { value: "house(double_for_less=on)" });
    const toggle = await screen.findByRole("switch", { name: "Doubling for less" });
    await waitFor(() => expect(toggle.getAttribute("aria-checked")).toBe("false"));
  });

  it("undoes a conflicting change", async () => {
    render(RulesChooser, { value: "house" });
    await fireEvent.click(await screen.findByRole("button", { name: "stand" }));
    await fireEvent.click(await screen.findByRole("button", { name: "Undo this change" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "hit" }).getAttribute("aria-pressed")).toBe("true"));
  });
});
