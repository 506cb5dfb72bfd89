// What the lesson page needs from a lesson, wherever its steps are stored.

import type { LessonResultData, LessonRoundData } from "../wire";

export interface LessonPlay {
  readonly seen: LessonRoundData | null;
  readonly result: LessonResultData | null;
  readonly busy: boolean;
  readonly problem: string;
  readonly lost: string; // why the lesson couldn't be loaded
  readonly since: number; // when the current step began, by this page's clock
  /** Perform a step as typed; `show` reveals the answer. */
  step(text: string): Promise<boolean>;
  nextRound(): Promise<void>;
  finish(): Promise<void>;
}
