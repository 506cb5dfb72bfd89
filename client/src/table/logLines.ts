// Lines of the log: the server's messages, in the second person for the player they are about.

import type { TimelineEvent, EventText } from "../wire";

export interface LogLine {
  n: number;
  event: string;
  text: string;
  spoken: string;
  amount: string; // amount of a payment, with its sign
  sign: -1 | 0 | 1;
  mine: boolean;
  common: boolean; // not about anyone in particular
  strong: boolean;
  rules: string[];
  round: number;
}

export const MAX_LINES = 300;
/** Fairness events that appear in the log but aren't read aloud; only the finished cut is announced. */
const UNSPOKEN = new Set(["ShoeCommitted", "CutCommitted", "CutsListed", "CutOpened", "AskRaised"]);

export function logLine(n: number, event: string, told: EventText, person: string, round: number): LogLine {
  const own = told.you?.[person];
  const words = own ?? told;
  const net = told.payment?.net ?? 0;
  return {
    n,
    event,
    text: words.text,
    spoken: UNSPOKEN.has(event) ? "" : tidy(words.spoken || words.text),
    rules: told.rules ?? [],
    amount: told.payment?.amount ?? "",
    sign: net > 0 ? 1 : net < 0 ? -1 : 0,
    mine: own !== undefined,
    common: !told.you || Object.keys(told.you).length === 0,
    strong: told.strong ?? false,
    round,
  };
}

/** The lines shown to someone who joins a table. */
export function historyLines(story: TimelineEvent[], person: string, round: number): LogLine[] {
  const opened = story.findLastIndex((line) => line.event === "RoundOpened");
  return story.map((line, index) => logLine(line.n, line.event, line, person, index >= opened ? round : round - 1));
}

/** Shorten long hashes to eight digits, dropping a period after them, and remove the text-style marks of suits. */
export const tidy = (said: string): string =>
  said.replaceAll("\ufe0e", "").replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b\.?/g, "$1…");
