// A series of drills: the current hand, the cost of the answer, and the streak.

import { AWAY, errorMessage, get, post, Problem } from "../lib/api";
import { session } from "../lib/session.svelte";
import type { DrillData, DrillResult } from "../wire";

export interface DrillOptions {
  rules: string;
  kind: string;
  seconds: number; // 0: no time limit
}

export class DrillSession {
  drill = $state.raw<DrillData | null>(null);
  result = $state.raw<DrillResult | null>(null);
  done = $state("");
  problem = $state("");
  lost = $state(false); // the server didn't respond to a request for a hand
  busy = $state(false);
  late = $state(false);
  left = $state(0); // seconds left
  streak = $state(0);
  hands = $state(0);
  given = $state(0); // total cost of all mistakes, in base wagers
  practiced = $state.raw<{ items: number; due: number } | null>(null);
  #clock = 0;
  #options: DrillOptions = { rules: "", kind: "", seconds: 0 };

  async next(options: DrillOptions): Promise<void> {
    this.#options = options;
    this.stop();
    this.busy = true;
    this.problem = "";
    this.lost = false;
    try {
      await session.ensureGuest();
      const { rules, kind } = options;
      const after = this.drill?.item ?? ""; // the item whose answer is still on screen
      const drill = await post<DrillData>("/learning/drills", { rules, kind, after });
      if (options !== this.#options) return; // the user has changed the hands meanwhile
      this.drill = drill;
      this.result = null;
      this.done = "";
      this.late = false;
      this.#start(options.seconds);
    } catch (error) {
      if (options !== this.#options) return;
      this.drill = null;
      this.problem = errorMessage(error);
      this.lost = error instanceof Problem && error.code === AWAY;
    } finally {
      this.busy = false;
    }
  }

  async answer(action: string): Promise<void> {
    const drill = this.drill;
    if (!drill || this.result || this.busy) return;
    this.stop();
    this.busy = true;
    this.done = action;
    try {
      const body = { rules: drill.rules, situation: drill.situation, action };
      this.#count(await post<DrillResult>("/learning/answers", body));
      this.problem = "";
    } catch (error) {
      this.problem = errorMessage(error);
    } finally {
      this.busy = false;
    }
  }

  async look(rules: string): Promise<void> {
    const found = await get<{ due_at: number }[]>("/learning/practice", { rules }).catch(() => null);
    if (!found) return;
    const now = Date.now();
    this.practiced = { items: found.length, due: found.filter((one) => one.due_at <= now).length };
  }

  stop(): void {
    clearInterval(this.#clock);
  }

  #count(result: DrillResult): void {
    this.result = result;
    this.hands += 1;
    this.given += result.done?.cost ?? 0;
    this.streak = result.right ? this.streak + 1 : 0;
    void this.look(this.#options.rules);
  }

  #start(seconds: number): void {
    this.left = seconds;
    if (!seconds) return;
    this.#clock = window.setInterval(() => {
      this.left -= 1;
      if (this.left > 0) return;
      this.late = true;
      // A live table does the same when time runs out.
      void this.answer(this.drill?.situation.insurance ? "decline" : "stand");
    }, 1000);
  }
}
