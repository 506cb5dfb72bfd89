// A search for rule sets that meet targets: the server lists the combinations of options, and each is
// searched by itself, so that the page shows progress and can stop at any time.

import { errorMessage } from "../lib/api";
import type { DesignAnswer, SolutionData } from "../wire";
import { listOptions, study, wasAborted } from "./api";

/** The URL parameters of `/analysis/design` that the page sets. */
export type DesignWish = Record<string, string>;
export const WISHES = ["edge", "sd", "hits", "bonus_hits", "win", "base", "vary", "keep", "approved", "pays", "changes"];

/** Figures that take little time unless pay rows vary, so they are always requested. */
const QUICK = { hits: "..", bonus_hits: ".." };

export class DesignSearch {
  solutions = $state.raw<SolutionData[]>([]);
  done = $state(0);
  total = $state(0);
  analyses = $state(0);
  complete = $state(true); // false if there are more solutions than the server lists
  left = $state(0); // rule sets whose standard deviation is unknown
  running = $state(false);
  finished = $state(false);
  problem = $state("");
  #stop: AbortController | null = null;

  /** With `keep`, the same search only adds a figure: the rule sets stay until they are found again. */
  async start(rules: string, wish: DesignWish, keep = false): Promise<void> {
    this.stop();
    const stop = (this.#stop = new AbortController());
    if (!keep) this.solutions = [];
    let fresh: SolutionData[] = [];
    this.done = this.total = this.analyses = this.left = 0;
    this.problem = "";
    this.complete = this.running = true;
    this.finished = false;
    try {
      const { vary = "", keep = "", approved = "false" } = wish;
      const games = await study<string[]>("/analysis/games", { rules, vary, keep, approved }, stop.signal);
      const options = new Set((await listOptions()).parts.flatMap((part) => part.options.map((one) => one.name)));
      if (stop !== this.#stop) return;
      this.total = games.length;
      const rows = rowsOf(vary, options);
      const figures = { ...(rows === "none" ? QUICK : {}), ...(wish.base ? { win: ".." } : {}) };
      for (const game of games) {
        const query = { ...figures, ...wish, rules: game, vary: rows };
        const found = await study<DesignAnswer>("/analysis/design", query, stop.signal);
        if (stop !== this.#stop) return;
        fresh = [...fresh, ...found.solutions];
        const known = new Set(fresh.map((one) => one.fingerprint));
        this.solutions = nearestFirst([...fresh, ...this.solutions.filter((one) => !known.has(one.fingerprint))]);
        this.analyses += found.analyses;
        this.left += found.without_sd;
        this.complete &&= found.is_complete;
        this.done += 1;
      }
      this.solutions = nearestFirst(fresh);
      this.finished = true;
    } catch (error) {
      if (stop !== this.#stop || wasAborted(error)) return;
      this.problem = errorMessage(error);
    }
    this.running = false;
  }

  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.running = false;
  }
}

/** What is left to vary once the options are set: the pay rows. */
export function rowsOf(vary: string, options: Set<string>): string {
  const names = vary.split(",").map((name) => name.trim());
  return names.filter((name) => name && !options.has(name)).join(",") || "none";
}

export const changesOf = (found: SolutionData): number => found.changes.length + Object.keys(found.pays).length;

export function nearestFirst(found: SolutionData[]): SolutionData[] {
  return found.sort(
    (a, b) => a.departures.length - b.departures.length || changesOf(a) - changesOf(b) || a.house_edge - b.house_edge,
  );
}

/** A range of two typed ends: `0.6..0.9`; empty if neither is given. */
export const rangeText = (low: string, high: string): string => (low.trim() || high.trim() ? `${low.trim()}..${high.trim()}` : "");

export interface Spot {
  edge: number;
  other: number; // lower is better
}

/** Whether each is on the Pareto front: no other is at least as good in both figures and better in one. */
export function onFront(spots: Spot[]): boolean[] {
  const beats = (a: Spot, b: Spot): boolean =>
    a.edge <= b.edge && a.other <= b.other && (a.edge < b.edge || a.other < b.other);
  return spots.map((one) => !spots.some((other) => beats(other, one)));
}
