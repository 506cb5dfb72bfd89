// Lines of the log: the server's messages, in the second person for the player they are about.

import type { TimelineEvent, EventText } from "../wire";

export interface LogLine {
  n: number;
  event: string;
  text: string;
  talk: string; // as a dealer would say it; empty if a dealer wouldn't
  spoken: string;
  amount: string; // amount of a payment, with its sign
  sign: -1 | 0 | 1;
  mine: boolean;
  common: boolean; // not about anyone in particular
  strong: boolean;
  rules: string[];
  round: number;
  side: boolean; // settles a side bet
  lost: { spot: number; net: number } | null; // a lost side bet
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
    talk: words.talk ?? words.text,
    spoken: UNSPOKEN.has(event) ? "" : tidy(words.spoken || words.text),
    rules: told.rules ?? [],
    amount: told.payment?.amount ?? "",
    sign: net > 0 ? 1 : net < 0 ? -1 : 0,
    mine: own !== undefined,
    common: !told.you || Object.keys(told.you).length === 0,
    strong: told.strong ?? false,
    round,
    side: told.payment != null && told.payment.wager !== "hand",
    lost: told.payment && net < 0 && told.payment.wager !== "hand" ? { spot: told.payment.spot, net } : null,
  };
}

/** One line of the log as shown: an event, or several side bets that a spot lost together. */
export interface ShownLine extends LogLine {
  losses: LogLine[];
}

/** Who wagers in a line such as `Spot 4: you wager $5.` */
const bettor = ({ talk }: LogLine): string => talk.split("$", 1)[0] ?? "";

/** The lines in table talk, with the side bets that a spot loses at once on one line. */
export function talkLines(lines: LogLine[]): ShownLine[] {
  const shown: ShownLine[] = [];
  let run: ShownLine[] = []; // side bets lost in this settlement, by spot
  for (const line of lines) {
    if (!line.talk) continue;
    const same = line.lost && run.find((one) => one.round === line.round && one.lost?.spot === line.lost?.spot);
    if (same) {
      same.losses.push(line);
      continue;
    }
    // Wagers are sent chip by chip; only the last ones count.
    const before = shown.at(-1);
    if (line.event === "WagersPlaced" && before?.event === line.event && bettor(before) === bettor(line)) shown.pop();
    const next = { ...line, losses: line.lost ? [line] : [] };
    run = line.lost ? [...run, next] : line.side ? run : [];
    shown.push(next);
  }
  return shown;
}

/** The lines shown to someone who joins a table. */
export function historyLines(story: TimelineEvent[], person: string, round: number): LogLine[] {
  const opened = story.findLastIndex((line) => line.event === "RoundOpened");
  return story.map((line, index) => logLine(line.n, line.event, line, person, index >= opened ? round : round - 1));
}

/** Shorten long hashes to eight digits, dropping a period after them, and remove the text-style marks of suits. */
export const tidy = (said: string): string =>
  said.replaceAll("\ufe0e", "").replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b\.?/g, "$1…");
