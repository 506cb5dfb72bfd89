// What a screen reader says: politely what happens, at once what concerns who plays. Never both.

import { untrack } from "svelte";
import { settings } from "../lib/settings.svelte";
import type { LogLine } from "./logLines";

const JOINED = 250; // milliseconds: sentences that come together are one

class Speech {
  polite = $state<{ key: number; text: string }[]>([]);
  assertive = $state("");
  readonly #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #key = 0;

  /** A line of the log, where the chosen verbosity wants it. */
  tell(line: LogLine): void {
    if (line.spoken && wanted(line)) this.say(line.spoken);
  }

  say(text: string): void {
    this.#waiting.push(text);
    this.#timer ??= setTimeout(() => {
      const said = { key: ++this.#key, text: this.#taken().join(" ") };
      this.polite = [...this.polite.slice(-2), said];
    }, JOINED);
  }

  /** A question of who plays: what has led to it comes first, in the same breath. */
  ask(text: string): void {
    this.shout([...this.#taken(), text].join(" "));
  }

  /** What waits to be said, which waits no more. */
  #taken(): string[] {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#waiting.splice(0);
  }

  shout(text: string): void {
    // the same words twice are said twice; who says them does not wait for them to change
    const last = untrack(() => this.assertive);
    this.assertive = last === text ? `${text}\u00a0` : text;
  }
}

function wanted(line: LogLine): boolean {
  switch (settings.chosen.verbosity) {
    case "all":
      return true;
    case "mine":
      return line.mine || line.common;
    case "results":
      return (line.mine && line.amount !== "") || line.event === "RoundClosed";
  }
}

export const speech = new Speech();
