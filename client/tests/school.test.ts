import { render, screen } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { accuracy, counts, lessonPath, progressAt } from "../src/school/progress";
import { targetsOfSpot, targetText, dealerTargets, fits, nextTarget, pointTarget, stepText, type Target } from "../src/school/target";
import DealerFelt from "../src/school/DealerFelt.svelte";
import type { LessonLine, StepButton, TrainingFelt } from "../src/wire";

const hand = { total: "14", wager: 2500, doublings: 0, status: "waiting", on_table: true, signal: "wants a card" };
const felt: TrainingFelt = {
  stage: "play",
  dealer: [27, null],
  dealer_total: "",
  bonus_cards: [3],
  bonus_places: 2,
  bonus_locked: false,
  meters: [{ game: 1, cents: 412_763, wager: 100 }],
  spots: [
    {
      number: 2,
      name: "Guest 2",
      base: 2500,
      hands: [
        { ...hand, cards: [30, 22] },
        { ...hand, cards: [31], total: "", signal: "" },
      ],
      wagers: [{ wager: "mtd up", title: "Up Card", short: "U", word: "up", stake: 500, rides: true }],
      bonuses: [{ title: "Super Bonus", short: "S", word: "super" }],
      paid: [{ wager: "jackpot 1", title: "Jackpot 1", hand: -1, net: 400, odds: "5 for 1", rule: "R-087", reason: "" }],
    },
  ],
};
const button = (kind: string, aims: StepButton["aims"], amount = false): StepButton => ({
  kind,
  title: kind,
  key: kind[0] ?? "",
  word: kind,
  aims,
  amount,
});
const own: Target = { at: "hand", spot: 2, hand: 1 };

test("a step is formatted as it is typed", () => {
  expect(stepText(button("pay", "wager", true), own, " 22.50 ")).toBe("pay 2.2 22.50");
  expect(stepText(button("take", "wager", true), { at: "wager", spot: 2, word: "up" }, "")).toBe("take 2 up");
  expect(stepText(button("card", "place"), { at: "place", word: "b1" }, "")).toBe("card b1");
  expect(stepText(button("supervisor", "spot"), own, "")).toBe("supervisor 2");
  expect(stepText(button("look", ""), own, "")).toBe("look");
});

test("a step accepts every target of its kind", () => {
  expect(fits(button("look", ""), null)).toBe(true);
  expect(fits(button("pay", "wager", true), null)).toBe(false);
  expect(fits(button("pay", "wager", true), { at: "place", word: "dealer" })).toBe(false);
  expect(fits(button("ask", "hand"), { at: "wager", spot: 2, word: "up" })).toBe(false);
  expect(fits(button("card", "place"), own)).toBe(true);
});

test("number keys cycle through the targets of a spot and of the dealer", () => {
  const spot = targetsOfSpot(felt, 2).map(targetText);
  expect(spot).toEqual(["2.1", "2.2", "2 up", "2 super"]);
  expect(targetsOfSpot(felt, 7)).toEqual([]);
  expect(dealerTargets(felt).map(targetText)).toEqual(["dealer", "b1", "b2"]);
  expect(dealerTargets({ ...felt, dealer: [] }).map(targetText).slice(0, 2)).toEqual(["up", "down"]);
  expect(dealerTargets({ ...felt, dealer: [12] }).map(targetText).slice(0, 2)).toEqual(["down", "dealer"]);
  expect(dealerTargets({ ...felt, dealer: [null] }).map(targetText).slice(0, 2)).toEqual(["up", "dealer"]);
  expect(nextTarget(targetsOfSpot(felt, 2), null)).toEqual({ at: "hand", spot: 2, hand: 0 });
  expect(nextTarget(targetsOfSpot(felt, 2), { at: "wager", spot: 2, word: "super" })).toEqual({ at: "hand", spot: 2, hand: 0 });
  expect(nextTarget([], null)).toBeNull();
});

test("the felt shows its data, and a face-down card has no name", async () => {
  const ontarget = vi.fn();
  render(DealerFelt, { props: { felt, target: own, ontarget } });
  expect(screen.getByRole("button", { name: "Spot 2, hand 1 of 2, eight of hearts, six of hearts, 14, $25, wants a card" })).toBeTruthy();
  expect(screen.getByRole("button", { name: /hand 2 of 2/ }).getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByText("$4,127.63")).toBeTruthy();
  expect(screen.getByText("+$4")).toBeTruthy();
  expect(document.querySelector(".own use[href='#back']")).toBeTruthy();
  screen.getByRole("button", { name: "Spot 2, Up Card, $5" }).click();
  expect(ontarget).toHaveBeenCalledWith({ at: "wager", spot: 2, word: "up" });
});

test("a read-only felt has no buttons", () => {
  render(DealerFelt, { felt });
  for (const one of screen.getAllByRole("button")) expect((one as HTMLButtonElement).disabled).toBe(true);
});

const line: LessonLine = {
  id: 1,
  kind: "practice",
  level: "doubles",
  rules: "wsgc-2021",
  begun_at: 0,
  changed_at: 0,
  done: true,
  rounds: 1,
  steps: 20,
  correct: 19,
  milliseconds: 1000,
  score: 95,
  passed: null,
};

test("progress counts finished lessons, each kind by its own measure", () => {
  const exam: LessonLine = { ...line, id: 2, kind: "exam", score: 99, correct: 17, passed: false };
  const found = progressAt("doubles", [
    { ...line, id: 3, done: false, score: null },
    { ...line, id: 4, kind: "guided", score: null },
    { ...line, id: 5, score: 80 },
    line,
    exam,
    { ...line, id: 6, level: "bonuses", kind: "exam", passed: true },
  ]);
  expect(found.best).toEqual({ practice: line, exam });
  expect(found.passed).toBe(false);
  expect(progressAt("doubles", [exam, { ...exam, correct: 18, score: 1, passed: true }]).best.exam?.correct).toBe(18);
  expect(accuracy(exam)).toBe(85);
  expect(counts({ ...line, score: null })).toBe(false);
});

test("a lesson continues on its own page", () => {
  expect(lessonPath(line)).toEqual(["school", "doubles"]);
  expect(lessonPath({ ...line, kind: "catch" })).toEqual(["school", "doubles", "catch"]);
});

test("a place named by the server is a target", () => {
  expect(pointTarget(null)).toBeNull();
  expect(pointTarget({ at: "hand", spot: 2, hand: 1, word: "" })).toEqual(own);
  expect(pointTarget({ at: "wager", spot: 2, hand: 0, word: "up" })).toEqual({ at: "wager", spot: 2, word: "up" });
  expect(pointTarget({ at: "place", spot: 0, hand: 0, word: "b1" })).toEqual({ at: "place", word: "b1" });
});
