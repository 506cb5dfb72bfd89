// One queue of events for felt, log and live region, shown in order, one motion at a time.
// The display may lag but never changes the order, and every event is reported.

import type { After, EventsMessage, EventText, WireEvent } from "../wire";

export interface Step {
  n: number;
  event: WireEvent;
  told: EventText | null;
  after: After | null;
  next: WireEvent | null; // next event in the same message
  end: EventsMessage | null; // the message, if this is its last event
}

export interface Player {
  /** Show the event. Returns milliseconds at speed 1 until the next one. */
  play(step: Step, moving: boolean): number;
  /** How long a waiting event would take. */
  length(step: Step): number;
  /** The queue is empty. */
  rest(): void;
  /** So many events were waiting that they were shown at once. */
  caughtUp(): void;
}

export const LATEST = 3_000; // milliseconds of motion that may wait behind the current message

export type Timer = (ms: number, act: () => void) => () => void;

const usual: Timer = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

export class Queue {
  #steps: Step[] = [];
  #undo: (() => void) | null = null;
  #playing = false;

  constructor(
    private readonly player: Player,
    private readonly speed: () => number, // 0: no motion
    private readonly timer: Timer = usual,
  ) {}

  get busy(): boolean {
    return this.#playing;
  }

  push(message: EventsMessage): void {
    const steps = stepsOf(message);
    const waits = this.#steps.filter((step) => this.#isBehind(step));
    this.#steps.push(...steps);
    if (this.#playing) {
      const late = [...waits, ...steps].reduce((sum, step) => sum + this.player.length(step), 0);
      const speed = this.speed();
      if (!speed || late / speed > LATEST) {
        this.skip();
        this.player.caughtUp();
      }
      return;
    }
    this.#playing = true;
    this.#go();
  }

  /** Show all waiting events now. */
  skip(): void {
    if (!this.#playing) return;
    this.#undo?.();
    this.#undo = null;
    for (let step = this.#steps.shift(); step; step = this.#steps.shift()) this.player.play(step, false);
    this.#rest();
  }

  /** Drop waiting events, because a snapshot replaces them. */
  clear(): void {
    this.#undo?.();
    this.#undo = null;
    this.#steps = [];
    this.#playing = false;
  }

  #isBehind(step: Step): boolean {
    const first = this.#steps.findIndex((other) => other.end !== null);
    return first >= 0 && this.#steps.indexOf(step) > first;
  }

  #go(): void {
    for (;;) {
      const step = this.#steps.shift();
      if (!step) return this.#rest();
      const speed = this.speed();
      const length = this.player.play(step, speed > 0);
      if (speed > 0 && length > 0) {
        this.#undo = this.timer(length / speed, () => this.#go());
        return;
      }
    }
  }

  #rest(): void {
    this.#playing = false;
    this.player.rest();
  }
}

export function stepsOf(message: EventsMessage): Step[] {
  const last = message.events.length - 1;
  return message.events.map((event, index) => ({
    n: message.n + index,
    event,
    told: message.told[index] ?? null,
    after: message.after[index] ?? null,
    next: message.events[index + 1] ?? null,
    end: index === last ? message : null,
  }));
}
