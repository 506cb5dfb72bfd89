import { router } from "./router.svelte";

const FADE = 28; // the width at each end where a row may fade out

/** Attachment: scrolls a row of links just far enough to show the current one, on every page and at every width. */
export function revealCurrent(row: HTMLElement): (() => void) | undefined {
  void router.place;
  if (typeof ResizeObserver === "undefined") return; // in tests
  const watch = new ResizeObserver(() => {
    const link = row.querySelector<HTMLElement>("[aria-current]");
    if (!link) return;
    const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
    row.scrollLeft += Math.max(0, inner.right + FADE - outer.right) || Math.min(0, inner.left - FADE - outer.left);
  });
  watch.observe(row);
  return () => watch.disconnect();
}
