// The value of each single rule change: listed at once, calculated one by one. The server caches the
// results, so clicking such a change gives an immediate answer.

import { errorMessage } from "../lib/api";
import type { Bar } from "../plots/Bars.svelte";
import { studyWords } from "../i18n/study";
import type { ChangeData, ValuedChange } from "../wire";
import { study, wasAborted } from "./api";
import { points } from "./format";

export type ChangeLine = ChangeData & Partial<ValuedChange>; // with its value once it has been calculated

export class RuleChanges {
  lines = $state.raw<ChangeLine[]>([]);
  about = $state("");
  problem = $state("");
  left = $state(0);
  #stop: AbortController | null = null;

  async ask(rules: string): Promise<void> {
    if (rules === this.about) return;
    this.#stop?.abort();
    const stop = (this.#stop = new AbortController());
    this.problem = "";
    try {
      const listed = await study<ChangeData[]>("/analysis/changes", { rules }, stop.signal);
      if (stop !== this.#stop) return;
      this.about = rules;
      this.lines = listed;
      this.left = listed.length;
      for (const [place, line] of listed.entries()) {
        const found = await study<ValuedChange>("/analysis/change", { rules, name: line.name }, stop.signal);
        if (stop !== this.#stop) return;
        this.lines = this.lines.with(place, found);
        this.left -= 1;
      }
    } catch (error) {
      if (stop !== this.#stop || wasAborted(error)) return;
      this.problem = errorMessage(error);
    }
  }

  end(): void {
    this.#stop?.abort();
    this.#stop = null;
    if (this.left) this.about = "";
  }
}

/** The known changes: best for the player first, then the costliest. Changes without an effect are left out. */
export function rankChanges(lines: ChangeLine[], kind: ChangeLine["kind"]): ChangeLine[] {
  const LEAST = 5e-9;
  const known = lines.filter((line) => line.kind === kind && Math.abs(line.change ?? 0) > LEAST);
  const size = (line: ChangeLine): number => Math.abs(line.change ?? 0);
  const isGain = (line: ChangeLine): boolean => (line.change ?? 0) > 0;
  // Two options can make the same change, such as no splitting.
  const once = known.filter((line, place) => known.findIndex((one) => one.words === line.words) === place);
  return once.sort((a, b) => Number(isGain(b)) - Number(isGain(a)) || size(b) - size(a));
}

/** Rule changes as bars; + is better for the player. */
export function changeBars(lines: ChangeLine[], choose?: (rules: string) => void, places = 3): Bar[] {
  return lines.map((line) => {
    const { rules } = line;
    const change = line.change ?? 0;
    const chosen = rules && choose ? { choose: () => choose(rules), chooseTitle: studyWords.edge.take } : {};
    return { key: line.name, name: line.words, value: change, figure: points(change, places), ...chosen };
  });
}
