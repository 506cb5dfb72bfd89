// Lines of the log: the server's sentences, to whom they are about in the second person.

import type { StoryLine, Told, Words } from "../wire";

export interface Line {
  n: number;
  event: string;
  text: string;
  spoken: string;
  amount: string; // of a payment, with its sign
  sign: -1 | 0 | 1;
  mine: boolean;
  common: boolean; // about nobody in particular
  strong: boolean;
  round: number;
}

export const MOST_LINES = 300;

export function lineOf(n: number, event: string, told: Told, person: string, round: number): Line {
  const own = told.you?.[person];
  const words = own ?? told;
  const net = told.payment?.net ?? 0;
  return {
    n,
    event,
    text: words.text,
    spoken: spokenOf(words),
    amount: told.payment?.amount ?? "",
    sign: net > 0 ? 1 : net < 0 ? -1 : 0,
    mine: own !== undefined,
    common: !told.you || Object.keys(told.you).length === 0,
    strong: told.strong ?? false,
    round,
  };
}

/** The lines that somebody who comes to a table reads. */
export function storyLines(story: StoryLine[], person: string, round: number): Line[] {
  const opened = story.findLastIndex((line) => line.event === "RoundOpened");
  return story.map((line, index) => lineOf(line.n, line.event, line, person, index >= opened ? round : round - 1));
}

/** Whole dollars without cents; long hashes by their beginning; a rule behind its sentence. */
export function tidy(said: string): string {
  return said
    .replaceAll("\ufe0e", "")
    .replace(/ \(([RDO]-[^)]+)\)\./g, ". ($1)")
    .replace(/(\$[\d,]+)\.00\b/g, "$1")
    .replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
}

/** For the ear: without the numbers of rules, which the eye finds beside the line. */
export const spokenOf = (words: Words): string => tidy(words.spoken || words.text).replace(/ \([RDO]-[^)]+\)/g, "");
