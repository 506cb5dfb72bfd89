// A figure that counts to its new value, as fast as motion is set; at once where nothing moves.

import { motion } from "./motion.svelte";

export function counted(value: () => number): { readonly shown: number } {
  let shown = $state(value());
  let frame = 0;
  $effect(() => {
    const to = value();
    const from = shownNow;
    const duration = motion.ms("pay");
    cancelAnimationFrame(frame);
    if (!duration || from === to) {
      shown = shownNow = to;
      return;
    }
    const begin = performance.now();
    const step = (now: number) => {
      const t = Math.min(1, (now - begin) / duration);
      shown = shownNow = from + (to - from) * t;
      if (t < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  });
  let shownNow = value();
  return {
    get shown() {
      return shown;
    },
  };
}
