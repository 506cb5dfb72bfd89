import { tick } from "svelte";
import { router } from "./router.svelte";

/** Attachment: scrolls a row of links so that the current one is in the middle, on every new page. */
export function revealCurrent(row: HTMLElement): void {
  void router.place;
  void tick().then(() => {
    const link = row.querySelector<HTMLElement>("[aria-current]");
    if (!link) return;
    const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
    row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  });
}
