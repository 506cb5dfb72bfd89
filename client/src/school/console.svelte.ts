// A game at a real table, stored in this browser: rules, finished rounds, and the entries of this round.

import { errorMessage, post } from "../lib/api";
import { session } from "../lib/session.svelte";
import type { ConsoleData } from "../wire";

const KEPT = "ventiuna.console";

interface Game {
  rules: string;
  entries: string[];
  meters: [number, number][];
  gone: number[]; // cards from earlier rounds since the shuffle
  rounds: string[]; // finished rounds, in notation
}

const EMPTY: Game = { rules: "", entries: [], meters: [], gone: [], rounds: [] };

export class ConsoleGame {
  game = $state.raw<Game>(kept());
  seen = $state.raw<ConsoleData | null>(null);
  problem = $state("");
  rules = $state.raw<string[]>([]); // rule numbers behind the problem
  busy = $state(false);
  #last: Promise<unknown> = Promise.resolve();

  async open(): Promise<void> {
    if (this.game.rules) await this.#ask(this.game);
  }

  async begin(rules: string): Promise<void> {
    if (!session.person) await session.guest();
    await this.#ask({ ...EMPTY, rules });
  }

  close(): void {
    this.game = EMPTY;
    this.seen = null;
    this.#keep();
  }

  /** Add an entry, or report why it doesn't fit. Quick entries are processed in order. */
  key(entry: string): Promise<boolean> {
    const answered = this.#last.then(() => this.#ask({ ...this.game, entries: [...this.game.entries, entry] }));
    this.#last = answered;
    return answered;
  }

  undo(): Promise<boolean> {
    return this.#ask({ ...this.game, entries: this.game.entries.slice(0, -1) });
  }

  /** Replace a wrong entry. Return the number of the first later entry that no longer fits, or 0. */
  async correct(place: number, entry: string): Promise<number | null> {
    const entries = this.game.entries.map((one, at) => (at === place ? entry : one));
    const seen = await this.#question({ ...this.game, entries });
    if (!seen) return null;
    if (seen.problem && seen.problem.entry <= place) {
      this.#tell(seen);
      return null;
    }
    this.#take({ ...this.game, entries: seen.entries }, { ...seen, problem: null });
    return seen.problem ? seen.problem.entry + 1 : 0;
  }

  /** Save the round. Its cards stay out of play until the shuffle. */
  async nextRound(newShoe: boolean): Promise<void> {
    const seen = this.seen;
    if (!seen?.over) return;
    const gone = newShoe ? [] : [...this.game.gone, ...seen.cards];
    const rounds = [...this.game.rounds, seen.notation];
    await this.#ask({ ...this.game, entries: [], meters: seen.meters, gone, rounds });
  }

  async #ask(game: Game): Promise<boolean> {
    const seen = await this.#question(game);
    if (!seen) return false;
    if (seen.problem) {
      this.#tell(seen);
      return false;
    }
    this.#take({ ...game, entries: seen.entries }, seen);
    return true;
  }

  async #question(game: Game): Promise<ConsoleData | null> {
    this.busy = true;
    try {
      const { rules, entries, meters, gone } = game;
      return await post<ConsoleData>("/school/console", { rules, entries, meters, gone });
    } catch (error) {
      this.problem = errorMessage(error);
      this.rules = [];
      return null;
    } finally {
      this.busy = false;
    }
  }

  #tell(seen: ConsoleData): void {
    this.problem = seen.problem?.sentence ?? "";
    this.rules = seen.problem?.rules ?? [];
  }

  #take(game: Game, seen: ConsoleData): void {
    this.game = game;
    this.seen = seen;
    this.problem = "";
    this.rules = [];
    this.#keep();
  }

  #keep(): void {
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.game));
    } catch {
      // no storage: the game lasts until the page is closed
    }
  }
}

function kept(): Game {
  try {
    return { ...EMPTY, ...(JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Game>) };
  } catch {
    return EMPTY;
  }
}
