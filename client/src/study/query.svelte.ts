// Run one query at a time: a new query aborts the previous one, and late responses are dropped.

import { errorMessage } from "../lib/api";
import { wasAborted } from "./api";

export class Query<T> {
  answer = $state.raw<T | null>(null);
  about = $state(""); // key of the current answer
  problem = $state("");
  waiting = $state(false);
  #stop: AbortController | null = null;

  /** With `keeps`, the previous answer stays until the next arrives; the page checks which rules it is for. */
  constructor(private readonly keeps = false) {}

  /** `key` identifies the query; an identical query isn't sent again. */
  async ask(key: string, question: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (key === this.about && this.answer !== null) return this.end();
    this.#stop?.abort();
    const stop = (this.#stop = new AbortController());
    this.waiting = true;
    this.problem = "";
    if (!this.keeps) this.answer = null;
    try {
      const found = await question(stop.signal);
      if (stop !== this.#stop) return;
      this.answer = found;
      this.about = key;
    } catch (error) {
      if (stop !== this.#stop || wasAborted(error)) return;
      this.answer = null;
      this.about = "";
      this.problem = errorMessage(error);
    } finally {
      if (stop === this.#stop) this.waiting = false;
    }
  }

  end(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.waiting = false;
  }
}
