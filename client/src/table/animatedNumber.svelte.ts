// A number that counts up or down to its new value at the speed of other motion, or jumps if motion is off.

import { motion } from "./motion.svelte";

interface How {
  from?: number; // start value
  ms?: () => number;
}

export function counted(value: () => number, { from, ms = () => motion.ms("pay") }: How = {}): { readonly shown: number } {
  let now = from ?? value(); // not tracked: the effect must not depend on its own steps
  let shown = $state(now);
  const show = (cents: number) => (shown = now = cents);
  $effect(() => {
    const to = value();
    const begin = now;
    const duration = ms();
    if (!duration || to === begin) {
      show(to);
      return;
    }
    const started = performance.now();
    let frame = requestAnimationFrame(function step(at: number) {
      const share = Math.min(1, Math.max(0, at - started) / duration);
      show(between(begin, to, share));
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  });
  return {
    get shown() {
      return shown;
    },
  };
}

/** Between two whole-dollar values, show only whole dollars. */
export function between(from: number, to: number, share: number): number {
  if (share >= 1) return to;
  const unit = from % 100 || to % 100 ? 1 : 100;
  return Math.round((from + (to - from) * share) / unit) * unit;
}
