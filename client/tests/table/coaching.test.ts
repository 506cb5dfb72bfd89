import { beforeEach, expect, it, vi } from "vitest";

const { answers } = vi.hoisted(() => ({ answers: [] as ((advice: unknown) => void)[] }));
vi.mock("../../src/lib/api", async (real) => ({
  ...(await real<typeof import("../../src/lib/api")>()),
  get: () => new Promise((done) => answers.push(done)),
}));

const { Coaching } = await import("../../src/table/coaching.svelte");

const hand = { count: "Blackjack", cards: [{ card: 26 }, { card: 50 }] };
const advice = {
  cards: [26, 50],
  shoe: { best: "stand", why: "", actions: [{ action: "stand", ev: 1.5, cost: 0 }, { action: "double", ev: 0.5, cost: 1 }] },
};

const table = () => ({
  id: 1,
  mySpots: [4],
  ask: { n: 7, kind: "decision", spots: [4], hand: 0 },
  felt: { round: 1, spots: { 4: { hands: [hand] } } },
});

beforeEach(() => answers.splice(0));

it("scores a choice made before its values arrive", async () => {
  const at = table();
  const coaching = new Coaching(at as never);
  coaching.follow();
  coaching.chose("double", 2_000);
  expect(coaching.mistake).toBeNull();
  at.ask = { ...at.ask, n: 8 };
  coaching.follow();
  answers[0]?.(advice);
  await vi.waitFor(() => expect(coaching.mistake).toMatchObject({ did: "double", best: "stand", cents: 2_000 }));
  expect(coaching.advice).toBeNull(); // it isn't the next prompt's advice
});

it("doesn't score a quick choice with values for other cards or after the round", async () => {
  for (const change of [(): unknown => ({ ...advice, cards: [1, 2] }), (at: ReturnType<typeof table>): unknown => ((at.felt.round = 2), advice)]) {
    const at = table();
    const coaching = new Coaching(at as never);
    coaching.follow();
    coaching.chose("double", 2_000);
    answers.splice(0)[0]?.(change(at));
    await Promise.resolve();
    await Promise.resolve();
    expect(coaching.mistake).toBeNull();
  }
});
