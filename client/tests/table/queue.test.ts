import { describe, expect, it } from "vitest";
import { Queue, type Player, type Step } from "../../src/table/queue";
import type { WireEvent } from "../../src/wire";
import { events } from "./wire";

const stood = (hand: number): WireEvent => ({ event: "HandStood", spot: 3, hand });

class Shown implements Player {
  steps: Step[] = [];
  moved: boolean[] = [];
  rests = 0;
  late = 0;
  constructor(readonly ms = 100) {}
  play(step: Step, moving: boolean): number {
    this.steps.push(step);
    this.moved.push(moving);
    return this.ms;
  }
  length(): number {
    return this.ms;
  }
  rest(): void {
    this.rests += 1;
  }
  caughtUp(): void {
    this.late += 1;
  }
  get hands(): number[] {
    return this.steps.map((step) => ("hand" in step.event ? step.event.hand : -1));
  }
}

function begin(ms = 100, speed = 1) {
  const shown = new Shown(ms);
  const waits: { ms: number; act: () => void }[] = [];
  const timer = (wait: number, act: () => void) => {
    const entry = { ms: wait, act };
    waits.push(entry);
    return () => void waits.splice(waits.indexOf(entry), 1);
  };
  const queue = new Queue(shown, () => speed, timer);
  const tick = () => waits.shift()?.act();
  return { queue, shown, waits, tick };
}

describe("the queue", () => {
  it("shows events in order, one at a time", () => {
    const { queue, shown, tick } = begin();
    queue.push(events(1, [stood(0), stood(1), stood(2)]));
    expect(shown.hands).toEqual([0]);
    expect(queue.busy).toBe(true);
    tick();
    tick();
    expect(shown.hands).toEqual([0, 1, 2]);
    expect(shown.rests).toBe(0);
    tick();
    expect(shown.rests).toBe(1);
    expect(queue.busy).toBe(false);
  });

  it("follows the speed setting", () => {
    expect(beginAt(2)).toBe(50);
    expect(beginAt(0.5)).toBe(200);
  });

  it("shows everything at once without motion", () => {
    const { queue, shown, waits } = begin(100, 0);
    queue.push(events(1, [stood(0), stood(1)]));
    expect(shown.hands).toEqual([0, 1]);
    expect(shown.moved).toEqual([false, false]);
    expect(waits).toEqual([]);
    expect(shown.rests).toBe(1);
  });

  it("skips waiting motion without losing events", () => {
    const { queue, shown, waits } = begin();
    queue.push(events(1, [stood(0), stood(1)]));
    queue.push(events(3, [stood(2)]));
    queue.skip();
    expect(shown.hands).toEqual([0, 1, 2]);
    expect(waits).toEqual([]);
    expect(shown.rests).toBe(1);
  });

  it("catches up when more than three seconds are waiting, and says so", () => {
    const { queue, shown } = begin(400);
    queue.push(events(1, Array.from({ length: 20 }, (_, hand) => stood(hand)))); // one long message doesn't count as a delay
    expect(shown.late).toBe(0);
    queue.push(events(21, Array.from({ length: 7 }, (_, hand) => stood(20 + hand))));
    expect(shown.late).toBe(0);
    queue.push(events(28, [stood(27)]));
    expect(shown.late).toBe(1);
    expect(shown.hands).toEqual(Array.from({ length: 28 }, (_, hand) => hand));
  });

  it("reports the state after a message with its last event", () => {
    const { queue, shown } = begin(0);
    const message = events(1, [stood(0), stood(1)]);
    queue.push(message);
    expect(shown.steps.map((step) => step.end)).toEqual([null, message]);
  });
});

function beginAt(speed: number): number | undefined {
  const { queue, waits } = begin(100, speed);
  queue.push(events(1, [stood(0)]));
  return waits[0]?.ms;
}
