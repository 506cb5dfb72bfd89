// What a person has achieved at each level, from the list of recorded lessons.

import type { LessonLine } from "../wire";
import type { LessonKind } from "./recorded.svelte";

export interface LevelProgress {
  best: Partial<Record<LessonKind, LessonLine>>; // the best finished lesson of each kind
  passed: boolean; // an exam
}

export const accuracy = (line: LessonLine): number => (line.steps ? (100 * line.correct) / line.steps : 0);

/** The measure of a lesson of its kind: an exam counts by its accuracy, everything else by its score. */
export const worth = (line: LessonLine): number => (line.kind === "exam" ? accuracy(line) : (line.score ?? 0));

export function progressAt(level: string, lines: LessonLine[]): LevelProgress {
  const found: LevelProgress = { best: {}, passed: false };
  for (const line of lines) {
    if (line.level !== level || !counts(line)) continue;
    const best = found.best[line.kind];
    if (!best || worth(line) > worth(best)) found.best[line.kind] = line;
    found.passed ||= line.passed === true;
  }
  return found;
}

/** Finished lessons with at least one finished round. */
export const counts = (line: LessonLine): boolean => line.done && (line.score !== null || line.passed !== null);

/** The address of the page that continues a lesson. */
export function lessonPath(line: LessonLine): string[] {
  const part = line.kind === "catch" || line.kind === "payouts" ? [line.kind] : [];
  return ["school", line.level, ...part];
}
