import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { logLine, tidy } from "../../src/table/logLines";
import { speech } from "../../src/table/speech.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  speech.ask(""); // other files use the same speech: nothing of theirs waits
  speech.polite = [];
});
afterEach(() => void vi.useRealTimers());
const polite = () => speech.polite.map((said) => said.text);

it("joins what comes together", () => {
  speech.say("You get eight of hearts.");
  speech.say("The dealer's up card is ace of spades.");
  expect(polite()).toEqual([]);
  vi.runAllTimers();
  expect(polite().at(-1)).toBe("You get eight of hearts. The dealer's up card is ace of spades.");
});

it("says what led to a question before the question, and not again", () => {
  const before = polite().length;
  speech.say("You get eight of spades for 16.");
  speech.ask("Your turn: 16 against an ace.");
  expect(speech.assertive).toBe("You get eight of spades for 16. Your turn: 16 against an ace.");
  vi.runAllTimers();
  expect(polite()).toHaveLength(before);
});

it("lets a refusal in at once, and the rest follow", () => {
  speech.say("Ben stands on 19.");
  speech.shout("It's not your turn.");
  expect(speech.assertive).toBe("It's not your turn.");
  vi.runAllTimers();
  expect(polite().at(-1)).toBe("Ben stands on 19.");
});

it("keeps proofs of the shoe for the eye", () => {
  const told = { text: "The house commits to shoe 2: 0123456789abcdef0123456789abcdef." };
  expect(logLine(1, "ShoeCommitted", told, "1", 1)).toMatchObject({ spoken: "", text: told.text });
  expect(tidy(told.text)).toBe("The house commits to shoe 2: 01234567…");
  expect(logLine(2, "ShoeCut", { text: "Shoe 1 is cut and in play." }, "1", 1).spoken).toBe("Shoe 1 is cut and in play.");
});
