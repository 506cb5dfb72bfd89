// A lesson that the server grades and stores step by step. The page only shows it.

import { ask, errorMessage, get, post, Problem } from "../lib/api";
import { download } from "../lib/download";
import { session } from "../lib/session.svelte";
import type { LessonLine, NewLesson, NextMove, RecordedLessonData } from "../wire";
import type { LessonPlay } from "./play";

/** Download the certificate of all exams passed so far. */
export async function certificate(format: "html" | "pdf"): Promise<void> {
  const page = await ask<Blob | string>("GET", "/school/certificate", { query: { format } });
  download(page, format === "pdf" ? "application/pdf" : "text/html", `dealers-school.${format}`);
}

export type LessonKind = LessonLine["kind"];

export class RecordedLesson implements LessonPlay {
  data = $state.raw<RecordedLessonData | null>(null);
  busy = $state(false);
  problem = $state("");
  lost = $state("");
  since = $state(0);
  #last: Promise<unknown> = Promise.resolve();

  get seen() {
    return this.data?.play ?? null;
  }

  get result() {
    return this.data?.result ?? null;
  }

  get number(): number | null {
    return this.data?.lesson.id ?? null;
  }

  /** Continue the lesson with this number, or begin a new one. */
  async open(level: string, kind: LessonKind, rules: string, number: number | null): Promise<void> {
    try {
      await session.ensureGuest();
      if (number !== null) this.data = await get<RecordedLessonData>(`/school/lessons/${number}`);
      else this.data = await post<RecordedLessonData>("/school/lessons", { level, kind, rules } satisfies NewLesson);
      this.since = performance.now();
    } catch (error) {
      this.lost = errorMessage(error);
    }
  }

  step(text: string): Promise<boolean> {
    return this.move({ text });
  }

  /** Send a move. Quick moves are processed in order. */
  move(done: Partial<NextMove>): Promise<boolean> {
    const answered = this.#last.then(() => {
      const data = this.data;
      if (!data || data.result || data.caught || data.paid) return false;
      return this.#send("moves", { round: data.number, at: data.sent, ...done });
    });
    this.#last = answered;
    return answered;
  }

  async nextRound(): Promise<void> {
    if (this.busy) return; // a double click
    const seen = this.data?.play;
    if (seen?.over && seen.rounds !== null && seen.round >= seen.rounds) await this.finish();
    else await this.#send("rounds");
  }

  async finish(): Promise<void> {
    await this.#send("finish");
  }

  async #send(what: string, body: unknown = {}): Promise<boolean> {
    const number = this.number;
    if (number === null) return false;
    this.busy = true;
    try {
      this.data = await post<RecordedLessonData>(`/school/lessons/${number}/${what}`, body);
      this.problem = "";
      this.since = performance.now();
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === "moved_on") {
        this.data = await get<RecordedLessonData>(`/school/lessons/${number}`).catch(() => this.data);
      }
      this.problem = errorMessage(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

export const deleteAll = (): Promise<unknown> => ask("DELETE", "/school/lessons");
