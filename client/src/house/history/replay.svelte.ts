// Replay a finished round on the live felt. The source is a recorded snapshot with its events instead
// of a socket. Stepping forward applies events; stepping backward rebuilds from the beginning.

import { settings } from "../../lib/settings.svelte";
import { Betting } from "../../table/betting.svelte";
import { LiveTable } from "../../table/live.svelte";
import type { Step } from "../../table/queue";
import type { Environment } from "../../table/socket";
import type { EventText, ReplayData, ReplayStep, SeatData } from "../../wire";

/** The events up to the next one with a message: what one step forward shows. */
export interface Beat {
  until: number; // number of events applied once it is shown
  told: EventText;
  hand: { spot: number; hand: number } | null; // the hand it is about
}

const PAUSE = 900; // reading time per message in milliseconds, at speed 1

/** An environment whose connection never opens. */
const silent: Environment = {
  open: () => {
    throw new Error("a replay has no line");
  },
  token: () => Promise.resolve(null),
  now: () => Date.now(),
  later: () => () => undefined,
  key: () => "",
};

const handOf = (event: ReplayStep["event"]): Beat["hand"] => ("hand" in event && "spot" in event && event.spot > 0 ? { spot: event.spot, hand: event.hand } : null);

export function beatsOf(steps: ReplayStep[]): Beat[] {
  const beats = steps.flatMap((step, index) => (step.told ? [{ until: index + 1, told: step.told, hand: handOf(step.event) }] : []));
  const last = beats.at(-1);
  if (last) last.until = steps.length; // trailing events without a message belong to the last step
  return beats;
}

export class Replay {
  table = $state.raw<LiveTable>(new LiveTable(0, silent));
  betting = $state.raw<Betting>(new Betting(this.table));
  at = $state(0); // number of beats shown
  plays = $state(false);
  readonly beats: Beat[];
  #shown = 0; // number of events applied
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly data: ReplayData,
    readonly person: string, // the point of view: this person's spots are large
  ) {
    this.beats = beatsOf(data.steps);
    this.#begin();
  }

  get seats(): SeatData[] {
    return this.data.snapshot.seats;
  }

  /** The number of beats until all players have their first cards: where the replay starts. */
  get dealt(): number {
    const stages = this.data.steps.flatMap(({ event }, index) => (event.event === "StageReached" ? [{ stage: event.stage, index }] : []));
    const after = stages[stages.findIndex(({ stage }) => stage === "deal") + 1]?.index ?? 0;
    return this.beats.filter((beat) => beat.until <= after).length;
  }

  /** The number of beats up to the one with the game event at this position. */
  beatOf(position: number): number {
    const index = this.data.steps.findIndex((step) => step.position === position);
    return index < 0 ? 0 : this.beats.findIndex((beat) => beat.until > index) + 1;
  }

  get told(): EventText | null {
    return this.beats[this.at - 1]?.told ?? null;
  }

  /** The message of a beat, in the second person for the chosen player. */
  words(told: EventText): string {
    return (told.you?.[this.person] ?? told).text;
  }

  go(beat: number): void {
    const wanted = Math.max(0, Math.min(beat, this.beats.length));
    clearTimeout(this.#timer);
    if (wanted < this.at) this.#begin();
    const until = this.beats[wanted - 1]?.until ?? 0;
    const moving = wanted === this.at + 1 && settings.chosen.speed > 0;
    let ms = 0;
    while (this.#shown < until) {
      const { shoe } = this.data.steps[this.#shown] as ReplayStep;
      ms += this.table.play(this.#step(this.#shown++), moving);
      if (shoe) this.table.felt.shoe = shoe;
    }
    this.at = wanted;
    const speed = settings.chosen.speed || Infinity;
    if (moving && ms) this.#timer = setTimeout(() => this.#rest(), ms / speed);
    else this.#rest();
  }

  play(): void {
    this.plays = !this.plays;
    if (!this.plays) return clearTimeout(this.#timer);
    this.go(this.at >= this.beats.length ? 1 : this.at + 1);
  }

  stop(): void {
    this.plays = false;
    clearTimeout(this.#timer);
  }

  #rest(): void {
    this.table.rest();
    this.#light();
    this.table.celebration = this.plays ? this.table.celebration : null;
    if (!this.plays) return;
    if (this.at >= this.beats.length) this.plays = false;
    else this.#timer = setTimeout(() => this.go(this.at + 1), PAUSE / (settings.chosen.speed || 2));
  }

  /** Highlight the hand of this step, as a table does with the hand it asks about. */
  #light(): void {
    const beat = this.beats[this.at - 1];
    const hand = beat?.hand;
    this.table.ask = hand ? { n: 0, kind: "decision", spots: [hand.spot], hand: hand.hand, until: null, told: { text: beat.told.text }, options: null } : null;
  }

  #begin(): void {
    const table = new LiveTable(this.data.table, silent);
    const { snapshot } = this.data;
    table.you = { type: "you", person: this.person, seat: null, client: null, token_until: null, stack: 0, wallet: 0 };
    table.layout = this.table.layout; // already loaded
    table.onSnapshot({ ...snapshot, table: { ...snapshot.table, status: "closed" } });
    const betting = new Betting(table);
    this.table = table;
    this.betting = betting;
    this.#shown = 0;
    this.at = 0;
  }

  #step(index: number): Step {
    const { n, event, told, after } = this.data.steps[index] as ReplayStep;
    return { n, event, told, after, next: this.data.steps[index + 1]?.event ?? null, end: null };
  }
}
