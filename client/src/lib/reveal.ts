import { router } from "./router.svelte";

const FADE = 28; // the width at each end where a row may fade out

/**
 * Attachment: scrolls a row of links, link by link, just far enough to show the current one, on every page and at every width.
 * The classes `before` and `after` say at which ends there are more links.
 */
export function revealCurrent(row: HTMLElement): (() => void) | undefined {
  void router.place;
  if (typeof ResizeObserver === "undefined") return; // in tests
  const mark = (): void => {
    row.classList.toggle("before", row.scrollLeft > 0);
    row.classList.toggle("after", row.scrollLeft < row.scrollWidth - row.clientWidth - 1);
  };
  const watch = new ResizeObserver(() => {
    const link = row.querySelector("[aria-current]");
    mark();
    if (!link) return;
    const start = row.getBoundingClientRect().left - row.scrollLeft;
    const least = link.getBoundingClientRect().right - start + FADE - row.clientWidth;
    const stops = [...row.children].map((one) => one.getBoundingClientRect().left - start - FADE);
    row.scrollLeft = least > 0 ? (stops.find((stop) => stop >= least) ?? least) : 0;
    mark();
  });
  watch.observe(row);
  row.addEventListener("scroll", mark);
  return () => {
    watch.disconnect();
    row.removeEventListener("scroll", mark);
  };
}
