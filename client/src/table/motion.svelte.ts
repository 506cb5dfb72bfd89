// Motion on the stage, using only transform and opacity. Durations come from the design tokens.

import { settings } from "../lib/settings.svelte";
import type { Place } from "./places";
import { CARD } from "./places";

export type Time = "hover" | "panel" | "deal" | "gap" | "flip" | "peek" | "turn" | "slide" | "pay" | "collect" | "note" | "celebrate";

let read: Map<Time, number> | null = null;

/** A duration from tokens.css in milliseconds at speed 1. Reduced motion has its own values there. */
export function time(name: Time): number {
  read ??= new Map();
  const known = read.get(name);
  if (known !== undefined) return known;
  const text = getComputedStyle(document.documentElement).getPropertyValue(`--t-${name}`).trim();
  const value = Number.parseFloat(text) || 0;
  const ms = text.endsWith("ms") ? value : value * 1000;
  read.set(name, ms);
  return ms;
}

if (typeof matchMedia === "function") {
  matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => (read = null));
}

const eases = new Map<string, string>(); // cached: reading them forces a style recalculation

function ease(name: "deal" | "move"): string {
  const known = eases.get(name);
  if (known) return known;
  const found = getComputedStyle(document.documentElement).getPropertyValue(`--ease-${name}`).trim() || "ease";
  eases.set(name, found);
  return found;
}

/** Moving elements and their starting positions. */
class Motion {
  moving = $state(false); // whether the queue is showing events one by one
  #where = new Map<string, Place>();

  ms(name: Time): number {
    const { speed } = settings.chosen;
    return this.moving && speed ? time(name) / speed : 0;
  }

  last(key: string): Place | undefined {
    return this.#where.get(key);
  }

  keep(key: string, place: Place): void {
    this.#where.set(key, place);
  }

  forget(): void {
    this.#where.clear();
  }
}

export const motion = new Motion();

export const transform = (place: Place): string =>
  `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px) rotate(${place.turn}deg) scale(${(place.width / CARD.mine).toFixed(4)})`;

interface Moved {
  key: string;
  place: Place;
  from?: Place; // starting position of a new element
}

/** Moves an element from its previous position to its new one. */
export function moves(node: HTMLElement | SVGElement, moved: Moved): { update: (moved: Moved) => void } {
  const begin = motion.last(moved.key) ?? moved.from;
  let place = moved.place;
  node.style.transform = transform(place);
  motion.keep(moved.key, place);
  if (begin) go(node, begin, place, begin === moved.from ? "deal" : "slide");
  return {
    update(next: Moved) {
      const old = place;
      place = next.place;
      motion.keep(next.key, place);
      if (transform(old) === transform(place)) return;
      node.style.transform = transform(place);
      go(node, old, place, "slide");
    },
  };
}

function go(node: Element, from: Place, to: Place, how: "deal" | "slide"): void {
  const duration = motion.ms(how);
  if (!duration || !node.animate) return;
  const first = how === "deal" ? transform({ ...from, turn: to.turn + 4 }) : transform(from);
  node.animate([{ transform: first }, { transform: transform(to) }], {
    duration: how === "deal" && to.turn ? duration + motion.ms("turn") : duration,
    easing: ease(how === "deal" ? "deal" : "move"),
    fill: "backwards",
  });
}

/** Transition for new elements, growing from nothing or moving in from a point. */
export function appears(node: Element, { x = 0, y = 6, name = "panel" as Time } = {}): void {
  const duration = motion.ms(name);
  if (!duration || !node.animate) return;
  node.animate([{ opacity: 0, translate: `${x}px ${y}px` }, { opacity: 1, translate: "0 0" }], {
    duration,
    easing: ease("move"),
  });
}

/** Transition for removed cards: gathered and moved to the discard tray. */
export function collected(_: Element, { from, to }: { from: Place; to: Place }): { duration: number; css: (t: number) => string } {
  const between = (t: number): Place => ({
    x: to.x + (from.x - to.x) * t,
    y: to.y + (from.y - to.y) * t,
    turn: from.turn * t,
    width: to.width + (from.width - to.width) * t,
  });
  return { duration: motion.ms("collect"), css: (t) => `transform: ${transform(between(t))}; opacity: ${Math.min(1, 3 * t)}` };
}

/** Transition for removed chips: losses to the dealer, the rest to the player. */
export function goes(_: Element, { kind, mine }: { kind: "win" | "push" | "loss"; mine: boolean }): { duration: number; css: (t: number, u: number) => string } {
  const [x, y] = kind === "loss" ? [0, -260] : mine ? [-160, 160] : [0, 60];
  return {
    duration: motion.ms(kind === "loss" ? "slide" : "pay"),
    css: (t, u) => `opacity: ${t}; translate: ${(x ?? 0) * u}px ${(y ?? 0) * u}px`,
  };
}

/** Finish all motion on the stage immediately. */
export function finish(stage: Element | null): void {
  for (const animation of stage?.getAnimations?.({ subtree: true }) ?? []) animation.finish();
}
