import { router } from "./router.svelte";

/** Attachment: scrolls a row of links so that the current one is in view, on every page and at every width. */
export function revealCurrent(row: HTMLElement): (() => void) | undefined {
  void router.place;
  if (typeof ResizeObserver === "undefined") return; // in tests
  const watch = new ResizeObserver(() => {
    const link = row.querySelector<HTMLElement>("[aria-current]");
    if (!link) return;
    const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
    row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  });
  watch.observe(row);
  return () => watch.disconnect();
}
