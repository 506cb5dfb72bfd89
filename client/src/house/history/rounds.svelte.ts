// The player's own rounds, newest first, loaded page by page. Filters apply to the loaded rounds.

import { code } from "../../lib/cards";
import { csvText } from "../../lib/download";
import { errorMessage, get } from "../../lib/api";
import { money, perDollar } from "../../lib/format";
import { settings } from "../../lib/settings.svelte";
import type { HistoryRound, RoundMistake, SessionReview } from "../../wire";

export type Result = "all" | "won" | "lost" | "even" | "void";
export type Play = "all" | "some" | "none";

export interface Filter {
  result: Result;
  table: number; // 0: all tables
  play: Play;
  bonus: boolean; // only rounds in which a hand was paid more than even money
}

const PAGE = 40;
const MOST_PAGE = 100;
const REVIEWS = 60; // requests for reviews, eight rounds each

/** Choices that count as mistakes under the settings; null if the round hasn't been reviewed. */
export const mistakesOf = (round: HistoryRound): RoundMistake[] | null =>
  round.mistakes?.filter((one) => settings.isMistake(one.cost)) ?? null;

/** What a mistake cost; per dollar if it's less than a cent. */
export const costOf = ({ cents, cost }: RoundMistake): string => (cents < 1 ? perDollar(cost).replace("+", "") : money(Math.round(cents)));

const isWaiting = (round: HistoryRound): boolean => round.outcome === "closed" && !round.mistakes;
const isBonus = (round: HistoryRound): boolean => round.hands.some((hand) => hand.net > hand.stake && !hand.doubled);

export function fits(round: HistoryRound, { result, table, play, bonus }: Filter): boolean {
  if (table && round.table !== table) return false;
  if (bonus && !isBonus(round)) return false;
  if (play !== "all") {
    const mistakes = mistakesOf(round);
    if (!mistakes || (play === "some") !== mistakes.length > 0) return false;
  }
  if (result === "all") return true;
  if (result === "void") return round.outcome === "void";
  const net = round.outcome === "closed" ? round.net : null;
  if (net === null || net === undefined) return false;
  return result === "won" ? net > 0 : result === "lost" ? net < 0 : net === 0;
}

const dollars = (cents: number): string => (cents / 100).toFixed(2);

/** The rounds as CSV, one line for each hand. */
export function csvOf(rounds: HistoryRound[], head: string[]): string {
  const lines = rounds.flatMap((round) => {
    const mistakes = mistakesOf(round);
    const front = [new Date(round.at).toISOString(), round.table_name, String(round.number), String(round.shoe), round.outcome];
    const back = [
      round.net === null ? "" : dollars(round.net),
      mistakes ? String(mistakes.length) : "",
      mistakes ? dollars(mistakes.reduce((sum, one) => sum + one.cents, 0)) : "",
    ];
    const dealer = round.dealer.map(code).join(" ");
    const hands = round.hands.map((hand) => [String(hand.spot), hand.cards.map(code).join(" "), dealer, hand.doubled ? "yes" : "no", dollars(hand.stake), hand.result, dollars(hand.net)]);
    return (hands.length ? hands : [["", "", dealer, "", "", "", ""]]).map((hand) => [...front, ...hand, ...back]);
  });
  return csvText([head, ...lines]);
}

export class Rounds {
  all = $state.raw<HistoryRound[]>([]);
  known = $state(false);
  more = $state(false); // whether there are older rounds
  problem = $state("");
  #left = false;
  #loading: Promise<void> | null = null;
  #isReviewing = false;

  /** Load older rounds, one page at a time: a second click while one is loading waits for it. */
  load(most = PAGE): Promise<void> {
    this.#loading ??= this.#load(most).finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load(most: number): Promise<void> {
    this.problem = "";
    try {
      const last = this.all.at(-1)?.at;
      const found = await get<HistoryRound[]>("/history", { most, before: last });
      this.all = [...this.all, ...found];
      this.more = found.length === most;
    } catch (error) {
      this.problem = errorMessage(error);
    }
    this.known = true;
    void this.#review();
  }

  async loadAll(): Promise<void> {
    while (this.more && !this.problem) await this.load(MOST_PAGE);
  }

  /** Request reviews of the rounds shown, a few at a time, and show their mistakes. */
  async #review(): Promise<void> {
    if (this.#isReviewing) return;
    this.#isReviewing = true;
    for (let turn = 0; turn < REVIEWS && !this.#left && this.all.some(isWaiting); turn++) {
      const review = await get<SessionReview>("/learning/session", { since: 0 }).catch(() => null);
      if (!review || this.#left) break;
      await this.#refresh(review.pending === 0);
      if (!review.pending) break;
    }
    this.#isReviewing = false;
  }

  /** Load the newest page with rounds that wait for their review again, or every such page. */
  async #refresh(every: boolean): Promise<void> {
    for (let start = 0; start < this.all.length; start += MOST_PAGE) {
      const page = this.all.slice(start, start + MOST_PAGE);
      if (!page.some(isWaiting)) continue;
      const found = await get<HistoryRound[]>("/history", { most: page.length, before: this.all[start - 1]?.at }).catch(() => []);
      const fresh = new Map(found.map((round) => [`${round.table}/${round.number}`, round]));
      this.all = this.all.map((round) => fresh.get(`${round.table}/${round.number}`) ?? round);
      if (!every) return;
    }
  }

  leave(): void {
    this.#left = true;
  }
}
