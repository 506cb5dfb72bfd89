// Where the page is: `#/study/edge?rules=wsgc-2021`. Paths belong to the server's own routes.
// A new page begins at its top; going back finds the old one where it was left.

export interface Place {
  path: string[];
  query: URLSearchParams;
}

export function placeOf(hash: string): Place {
  const text = hash.startsWith("#/") ? hash.slice(2) : "";
  const [path = "", query = ""] = text.split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an address that nobody wrote here
  }
}

export function address(path: (string | number)[], query: Record<string, string> = {}): string {
  const parts = path.map((part) => encodeURIComponent(String(part))).join("/");
  const asked = new URLSearchParams(query).toString();
  return `#/${parts}${asked ? `?${asked}` : ""}`;
}

const SETTLED = 100; // milliseconds after the last scroll, then the place is kept
const PATIENCE = 2_000; // milliseconds for a page to become as long as it was

/** What the browser keeps with an entry of its history. */
interface Kept {
  scrolled?: number;
}

class Router {
  place = $state.raw<Place>(placeOf(location.hash));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ResizeObserver | null = null;

  constructor() {
    history.scrollRestoration = "manual";
    addEventListener("hashchange", () => this.#arrive());
    addEventListener("scroll", () => this.#keepSoon(), { passive: true });
    this.#scrollTo((history.state as Kept | null)?.scrolled ?? 0);
  }

  go(path: (string | number)[], query: Record<string, string> = {}): void {
    location.hash = address(path, query);
  }

  /**
   * The same page with another query, without a new entry in the browser's history. Nothing where
   * somebody has gone on meanwhile: a late answer takes nobody back to the page that asked.
   */
  replace(path: (string | number)[], query: Record<string, string> = {}): void {
    const here = placeOf(location.hash).path;
    if (here.some((part, at) => part !== String(path[at]))) return;
    history.replaceState(history.state, "", address(path, query));
    this.place = placeOf(location.hash);
  }

  #arrive(): void {
    clearTimeout(this.#timer); // of the page that was left
    this.place = placeOf(location.hash);
    this.#scrollTo((history.state as Kept | null)?.scrolled ?? 0);
  }

  #keepSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => history.replaceState({ scrolled: scrollY } satisfies Kept, ""), SETTLED);
  }

  /** As soon as the page is long enough; whoever scrolls meanwhile is left alone. */
  #scrollTo(top: number): void {
    this.#watch?.disconnect();
    scrollTo({ top, behavior: "instant" });
    if (!top || typeof ResizeObserver === "undefined") return;
    const watch = (this.#watch = new ResizeObserver(() => {
      if (document.documentElement.scrollHeight < top + innerHeight) return;
      scrollTo({ top, behavior: "instant" });
      watch.disconnect();
    }));
    watch.observe(document.body);
    setTimeout(() => watch.disconnect(), PATIENCE);
  }
}

export const router = new Router();
