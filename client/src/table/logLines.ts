// Lines of the log: the server's sentences, to whom they are about in the second person.

import type { StoryLine, Told } from "../wire";

export interface LogLine {
  n: number;
  event: string;
  text: string;
  spoken: string;
  amount: string; // of a payment, with its sign
  sign: -1 | 0 | 1;
  mine: boolean;
  common: boolean; // about nobody in particular
  strong: boolean;
  rules: string[];
  round: number;
}

export const MAX_LINES = 300;
/** Steps of a proof that the eye may follow in the log; by ear the cut shoe is told, and that is all. */
const UNSPOKEN = new Set(["ShoeCommitted", "CutCommitted", "CutsListed", "CutOpened", "AskRaised"]);

export function logLine(n: number, event: string, told: Told, person: string, round: number): LogLine {
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

/** The lines that somebody who comes to a table reads. */
export function historyLines(story: StoryLine[], person: string, round: number): LogLine[] {
  const opened = story.findLastIndex((line) => line.event === "RoundOpened");
  return story.map((line, index) => logLine(line.n, line.event, line, person, index >= opened ? round : round - 1));
}

/** Long hashes by their beginning, which ends its sentence too; suits as signs, whatever the system makes of them. */
export const tidy = (said: string): string =>
  said.replaceAll("\ufe0e", "").replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b\.?/g, "$1…");
