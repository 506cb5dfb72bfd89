import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import ActionDialog from "../src/house/pages/ActionDialog.svelte";
import { csvOf, fits, Rounds, type Filter } from "../src/house/history/rounds.svelte";
import { cardOf } from "../src/lib/cards";
import { beatsOf } from "../src/house/history/replay.svelte";
import { actionsFor, byFrequency, requestBody, parseCents, type OperatorAction } from "../src/house/pages/actions";
import { tableNames } from "../src/lib/tables";
import type { CommandForm, HistoryRound, ReplayStep } from "../src/wire";

describe("typed dollar amounts", () => {
  it.each([
    ["50", 5_000],
    ["12.5", 1_250],
    ["$1,250.25", 125_025],
    ["0", 0],
  ])("%s", (text, cents) => expect(parseCents(text)).toBe(cents));

  it.each(["", "fifty", "1.234", "-5", "1e3", "12."])("refuses %j", (text) => expect(parseCents(text)).toBeNull());
});

describe("an operator action", () => {
  const action: OperatorAction = {
    label: "Seed",
    title: "Seed it",
    help: "",
    path: "/jackpots/3/seed",
    fields: [
      { name: "amount", label: "Amount", kind: "money", optional: false, value: "", choices: {} },
      { name: "to", label: "Number", kind: "number", optional: true, value: "", choices: {} },
    ],
  };

  it("is offered for the subjects and statuses that its form lists", () => {
    const form = (subject: CommandForm["subject"], word: string, more: Partial<CommandForm> = {}): CommandForm => ({
      subject, path: `/${subject}/{number}/${word}`, label: word, title: `${word} {name}`, help: "", consequence: "", statuses: [], needs: null, final: false, step: false, fields: [], ...more,
    });
    const forms = [form("tables", "close", { final: true }), form("tables", "resume", { statuses: ["fault"] }), form("tables", "drop"), form("jackpots", "seed")];
    const offered = (status: string) => actionsFor(forms, "tables", 3, "Den", status).map((one) => [one.path, one.title]);
    expect(offered("open")).toEqual([["/tables/3/drop", "drop Den"], ["/tables/3/close", "close Den"]]);
    expect(offered("fault").map(([path]) => path)).toContain("/tables/3/resume");
    expect(offered("closed")).toEqual([]);
    const voiding = [form("tables", "void", { needs: "open_round" })];
    expect(actionsFor(voiding, "tables", 3, "Den", "open", ["closed_round"])).toEqual([]);
    expect(actionsFor(voiding, "tables", 3, "Den", "open", ["closed_round", "open_round"])).toHaveLength(1);
    const split = (status: string) => {
      const [first, others] = byFrequency(actionsFor(forms, "tables", 3, "Den", status), "tables");
      return [first?.path, others.map(({ path }) => path)];
    };
    expect(split("open")).toEqual(["/tables/3/close", ["/tables/3/drop"]]);
    expect(split("fault")).toEqual(["/tables/3/resume", ["/tables/3/drop", "/tables/3/close"]]);
  });

  it("is sent in cents with its reason, and null for blank fields", () => {
    expect(requestBody(action, { amount: "50.25", to: "" }, " a festive evening ")).toEqual({
      body: { amount: 5_025, to: null, reason: "a festive evening" },
    });
  });

  it("says which field can't be parsed", () => {
    expect(requestBody(action, { amount: "fifty" }, "why not")).toMatchObject({ wrong: { label: "Amount" } });
    expect(requestBody(action, { amount: "5", to: "x" }, "why not")).toMatchObject({ wrong: { label: "Number" } });
  });

  it("says what to enter in a field that can't be parsed", async () => {
    render(ActionDialog, { action, done: () => undefined });
    const submit = async (amount: string, to: string) => {
      await fireEvent.input(screen.getByLabelText("Amount"), { target: { value: amount } });
      await fireEvent.input(screen.getByLabelText("Number"), { target: { value: to } });
      await fireEvent.submit(document.querySelector("form") as HTMLFormElement);
      return document.querySelector("[role=alert]")?.textContent;
    };
    expect(await submit("fifty", "")).toBe("Amount: Enter an amount in dollars, such as 50 or 12.50.");
    expect(await submit("5", "x")).toBe("Number: Enter a whole number.");
    cleanup();
  });
});

describe("the player's own rounds", () => {
  const round = (net: number | null, outcome: HistoryRound["outcome"] = "closed"): HistoryRound => ({
    table: 3,
    table_name: "Table 3",
    number: 1,
    shoe: 1,
    outcome,
    at: 0,
    spots: [4],
    net,
    corrected: 0,
    dealer: [cardOf("4c")!, cardOf("Kd")!],
    hands: [{ spot: 4, cards: [cardOf("6s")!, cardOf("7s")!, cardOf("8s")!], doubled: false, stake: 500, net: 1500, result: "6-7-8 of spades, 3 to 1" }],
    mistakes: null,
  });
  const filter = (more: Partial<Filter>): Filter => ({ result: "all", table: 0, play: "all", bonus: false, ...more });
  const wrong = (cost: number) => ({ event: 9, cards: [], up: 0, done: "hit", best: "stand", cost, cents: 100 * cost });

  it("have tables with different names", () => {
    const names = tableNames([round(500), { ...round(0), table: 7 }, { ...round(0), table: 8, table_name: "Corner" }, round(0)]);
    expect([...names.values()]).toEqual([`${round(0).table_name} #3`, `${round(0).table_name} #7`, "Corner"]);
  });

  it("are filtered by result and table", () => {
    expect(fits(round(500), filter({ result: "won" }))).toBe(true);
    expect(fits(round(-500), filter({ result: "won" }))).toBe(false);
    expect(fits(round(0), filter({ result: "even", table: 3 }))).toBe(true);
    expect(fits(round(0), filter({ result: "even", table: 4 }))).toBe(false);
    expect(fits(round(0, "void"), filter({ result: "even" }))).toBe(false);
    expect(fits(round(0, "void"), filter({ result: "void" }))).toBe(true);
    expect(fits(round(null, "open"), filter({ result: "lost" }))).toBe(false);
  });

  it("are filtered by mistakes and bonus wins", () => {
    const close = { ...round(500), mistakes: [wrong(0.004)] }; // less than a cent per dollar
    const costly = { ...round(500), mistakes: [wrong(0.004), wrong(0.2)] };
    expect([round(500), close, costly].map((one) => fits(one, filter({ play: "some" })))).toEqual([false, false, true]);
    expect([round(500), close, costly].map((one) => fits(one, filter({ play: "none" })))).toEqual([false, true, false]);
    expect(fits(round(1500), filter({ bonus: true }))).toBe(true);
    expect(fits({ ...round(500), hands: [{ ...round(0).hands[0]!, net: 500 }] }, filter({ bonus: true }))).toBe(false);
  });

  it("are saved as CSV, without formulas", () => {
    const text = csvOf([{ ...round(-500), table_name: '=1+"2"', mistakes: [wrong(0.2)] }], ["time", "table"]);
    const row = '"1970-01-01T00:00:00.000Z","\'=1+""2""","1","1","closed","4","6s 7s 8s","4c Kd","no","5.00","6-7-8 of spades, 3 to 1","15.00","-5.00","1","0.20"';
    expect(text).toBe(`"time","table"\r\n${row}\r\n`);
  });

  it("are loaded once however often older ones are requested, and all of them are reviewed", async () => {
    const stored = Array.from({ length: 130 }, (_, index) => ({ ...round(500), number: 130 - index, at: 130 - index }));
    let isReviewed = false;
    vi.stubGlobal("fetch", async (address: string) => {
      const query = new URL(address, "http://house").searchParams;
      const before = Number(query.get("before") ?? 1_000);
      if (address.startsWith("/learning/session")) isReviewed = true;
      const page = stored.filter((one) => one.at < before).slice(0, Number(query.get("most")));
      const answer = address.startsWith("/history") ? page.map((one) => ({ ...one, mistakes: isReviewed ? [] : null })) : { pending: 0 };
      return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
    });
    const rounds = new Rounds();
    await Promise.all([rounds.load(), rounds.load()]);
    await Promise.all([rounds.load(), rounds.load(), rounds.loadAll()]);
    expect(rounds.all.map((one) => one.number)).toEqual(stored.map((one) => one.number));
    await vi.waitFor(() => expect(rounds.all.every((one) => one.mistakes)).toBe(true));
    vi.unstubAllGlobals();
  });
});

describe("the steps of a replay", () => {
  const step = (n: number, told: boolean): ReplayStep => ({
    n,
    at: 0,
    event: { event: "HandHit", spot: 1, hand: 0 },
    position: n - 1,
    told: told ? { text: `event ${n}` } : null,
    after: null,
    shoe: null,
  });

  it("end with an event that has a message, and include every event", () => {
    const beats = beatsOf([step(1, false), step(2, true), step(3, true), step(4, false), step(5, false)]);
    expect(beats.map((beat) => beat.until)).toEqual([2, 5]);
    expect(beats[0]?.hand).toEqual({ spot: 1, hand: 0 });
  });

  it("are empty if no event has a message", () => expect(beatsOf([step(1, false)])).toEqual([]));
});
