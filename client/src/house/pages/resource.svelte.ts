// Data loaded from the server and reloaded after an action.

import { houseWords } from "../../i18n/house";
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

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });
const minute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const sameYear = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
/** A day such as "2026-11-19". */
export const dayName = (day: string): string => date.format(new Date(day));
export const fullStamp = (at: number): string => full.format(at);
/** Today's times have no date, and this year's no year or seconds. Setting up a house may record no time. */
export function when(at: number, hasSeconds = true): string {
  if (!at) return houseWords.pages.atSetup;
  const [then, now] = [new Date(at), new Date()];
  if (then.toDateString() === now.toDateString()) return (hasSeconds ? time : minute).format(then);
  return (then.getFullYear() === now.getFullYear() ? sameYear : full).format(then);
}
