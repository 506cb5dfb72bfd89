import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logLine, tidy } from "../../src/table/logLines";
import { speech } from "../../src/table/speech.svelte";
import { play } from "../../src/table/sound";
import type { WireEvent } from "../../src/wire";

beforeEach(() => {
  vi.useFakeTimers();
  speech.ask(""); // other files share this object: drop what they left waiting
  speech.polite = [];
});
afterEach(() => void vi.useRealTimers());
const polite = () => speech.polite.map((said) => said.text);

it("joins sentences that arrive together", () => {
  speech.say("You get eight of hearts.");
  speech.say("The dealer's up card is ace of spades.");
  expect(polite()).toEqual([]);
  vi.runAllTimers();
  expect(polite().at(-1)).toBe("You get eight of hearts. The dealer's up card is ace of spades.");
});

it("announces the events before a prompt once, ahead of it", () => {
  const before = polite().length;
  speech.say("You get eight of spades for 16.");
  speech.ask("Your turn: 16 against an ace.");
  expect(speech.assertive).toBe("You get eight of spades for 16. Your turn: 16 against an ace.");
  vi.runAllTimers();
  expect(polite()).toHaveLength(before);
});

it("announces a refusal immediately, then the rest", () => {
  speech.say("Ben stands on 19.");
  speech.shout("It's not your turn.");
  expect(speech.assertive).toBe("It's not your turn.");
  vi.runAllTimers();
  expect(polite().at(-1)).toBe("Ben stands on 19.");
});

it("doesn't read fairness events aloud", () => {
  const told = { text: "The house commits to shoe 2: 0123456789abcdef0123456789abcdef." };
  expect(logLine(1, "ShoeCommitted", told, "1", 1)).toMatchObject({ spoken: "", text: told.text });
  expect(tidy(told.text)).toBe("The house commits to shoe 2: 01234567…");
  expect(logLine(2, "ShoeCut", { text: "Shoe 1 is cut and in play." }, "1", 1).spoken).toBe("Shoe 1 is cut and in play.");
});

describe("a browser without sound", () => {
  it("shows the event anyway", () => {
    expect(typeof AudioContext).toBe("undefined");
    const card = { event: "CardDealt" } as unknown as WireEvent;
    expect(() => play(card, [])).not.toThrow();
  });
});
