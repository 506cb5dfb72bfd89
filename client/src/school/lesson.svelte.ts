// A lesson repeated from a known seed, stored in this browser and not recorded. The server derives the table.

import { errorMessage, post } from "../lib/api";
import { session } from "../lib/session.svelte";
import type { LessonPlay } from "./play";
import type { LessonResultData, LessonRoundData, StepDone } from "../wire";

const KEPT = "ventiuna.lesson";

export interface Begun {
  level: string;
  rules: string;
  exam: boolean;
  seed: number;
  rounds: StepDone[][]; // the last one is in progress
}

export function savedLesson(): Begun | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null") as Begun | null;
  } catch {
    return null;
  }
}

export class Lesson implements LessonPlay {
  seen = $state.raw<LessonRoundData | null>(null);
  result = $state.raw<LessonResultData | null>(null);
  busy = $state(false);
  problem = $state("");
  lost = $state(""); // why the lesson couldn't be loaded
  since = $state(0);
  #begun: Begun | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** Start over, or continue the same lesson if this browser has stored it. */
  async begin(level: string, rules: string, exam: boolean, seed: number | null): Promise<void> {
    try {
      if (!session.person) await session.guest();
      const kept = savedLesson();
      const goesOn = kept !== null && kept.level === level && kept.exam === exam && kept.rules === rules && kept.seed === seed;
      this.#begun = goesOn ? kept : null;
      await this.#show(level, rules, exam, seed, this.#begun?.rounds ?? [[]]);
    } catch (error) {
      this.lost = errorMessage(error);
    }
  }

  get seed(): number | null {
    return this.#begun?.seed ?? null;
  }

  /** Perform a step as typed; `show` reveals the answer. Quick steps are processed in order. */
  step(text: string): Promise<boolean> {
    const answered = this.#last.then(() => this.#step(text));
    this.#last = answered;
    return answered;
  }

  async #step(text: string): Promise<boolean> {
    const begun = this.#begun;
    if (!begun || !this.seen || this.seen.over) return false;
    const ms = Math.min(Math.round(performance.now() - this.since), 3_600_000);
    const rounds = [...begun.rounds.slice(0, -1), [...(begun.rounds.at(-1) ?? []), { text, ms }]];
    return this.#ask(rounds);
  }

  async nextRound(): Promise<void> {
    const begun = this.#begun;
    if (!begun || !this.seen?.over) return;
    if (this.seen.rounds !== null && this.seen.round >= this.seen.rounds) await this.finish();
    else await this.#ask([...begun.rounds, []]);
  }

  /** The result of all steps so far. */
  async finish(name = session.person?.name ?? ""): Promise<void> {
    const begun = this.#begun;
    if (!begun) return;
    const { level, rules, exam, seed, rounds } = begun;
    this.problem = "";
    try {
      this.result = await post<LessonResultData>("/school/results", { level, rules, exam, seed, rounds, name });
      if (!exam || this.result.complete) localStorage.removeItem(KEPT);
    } catch (error) {
      this.problem = errorMessage(error);
    }
  }

  async #ask(rounds: StepDone[][]): Promise<boolean> {
    const begun = this.#begun;
    if (!begun) return false;
    try {
      await this.#show(begun.level, begun.rules, begun.exam, begun.seed, rounds);
      return true;
    } catch (error) {
      this.problem = errorMessage(error);
      return false;
    }
  }

  async #show(level: string, rules: string, exam: boolean, seed: number | null, rounds: StepDone[][]): Promise<void> {
    this.busy = true;
    try {
      const steps = rounds.at(-1) ?? [];
      const given = seed === null ? {} : { seed };
      const seen = await post<LessonRoundData>("/school/rounds", { level, rules, exam, ...given, round: rounds.length, steps });
      this.seen = seen;
      this.problem = "";
      this.#begun = { level, rules, exam, seed: seen.seed ?? 0, rounds };
      this.since = performance.now();
      this.#keep();
    } finally {
      this.busy = false;
    }
  }

  #keep(): void {
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.#begun));
    } catch {
      // no storage: the lesson lasts until the page is closed
    }
  }
}

