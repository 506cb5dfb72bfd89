// Screen reader output: events are polite, and messages to the player are assertive. Nothing is read twice.

import { untrack } from "svelte";
import { settings } from "../lib/settings.svelte";
import type { LogLine } from "./logLines";

const JOINED = 250; // milliseconds within which sentences are joined

class Speech {
  polite = $state<{ key: number; text: string }[]>([]);
  assertive = $state("");
  readonly #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #key = 0;

  /** Announce a line of the log if the chosen verbosity includes it. */
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

  /** Announce a prompt to the player, preceded by the events that led to it. */
  ask(text: string): void {
    this.shout([...this.#taken(), text].join(" "));
  }

  /** Take the waiting text out of the queue. */
  #taken(): string[] {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#waiting.splice(0);
  }

  shout(text: string): void {
    // A trailing space makes screen readers repeat identical text. Not tracked, so that callers don't depend on it.
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
