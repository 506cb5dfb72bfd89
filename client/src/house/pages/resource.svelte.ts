// Data loaded from the server and reloaded after an action.

import { errorMessage } from "../../lib/api";

export class Resource<T> {
  data = $state.raw<T | null>(null);
  problem = $state("");
  #turn = 0;

  async ask(question: () => Promise<T>): Promise<void> {
    const mine = ++this.#turn;
    try {
      const found = await question();
      if (mine !== this.#turn) return;
      this.data = found;
      this.problem = "";
    } catch (error) {
      if (mine === this.#turn) this.problem = errorMessage(error);
    }
  }
}

const stamp = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
/** A day such as "2026-11-19". */
export const dayName = (day: string): string => date.format(new Date(day));
export const when = (at: number): string => stamp.format(at);
