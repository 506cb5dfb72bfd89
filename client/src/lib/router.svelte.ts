// The current page, such as `#/study/edge?rules=wsgc-2021`. Paths before the # belong to the server.
// A new page starts at the top; going back restores the scroll position.

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
    return part; // malformed percent-encoding
  }
}

export function address(path: (string | number)[], query: Record<string, string> = {}): string {
  const parts = path.map((part) => encodeURIComponent(String(part))).join("/");
  const asked = new URLSearchParams(query).toString();
  return `#/${parts}${asked ? `?${asked}` : ""}`;
}

const SETTLED = 100; // milliseconds after the last scroll event before the position is saved

/** State saved with an entry of the browser's history. */
interface Kept {
  scrolled?: number;
}

class Router {
  place = $state.raw<Place>(placeOf(location.hash));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restoring: AbortController | null = null;

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
   * Replace the query of the same page without a new entry in the browser's history. Does nothing if
   * the user has already left the page, so a late response never takes anyone back.
   */
  replace(path: (string | number)[], query: Record<string, string> = {}): void {
    const here = placeOf(location.hash).path;
    if (here.some((part, at) => part !== String(path[at]))) return;
    history.replaceState(history.state, "", address(path, query));
    this.place = placeOf(location.hash);
  }

  #arrive(): void {
    clearTimeout(this.#timer); // the previous page's timer
    this.place = placeOf(location.hash);
    this.#scrollTo((history.state as Kept | null)?.scrolled ?? 0);
  }

  #keepSoon(): void {
    clearTimeout(this.#timer);
    if (this.#restoring) return; // a page that is still too short says nothing about the user's position
    const { hash } = location;
    this.#timer = setTimeout(() => {
      if (location.hash === hash) history.replaceState({ scrolled: scrollY } satisfies Kept, "");
    }, SETTLED);
  }

  /** Restore the position as soon as the page is long enough, unless the user acts first. */
  #scrollTo(top: number): void {
    this.#restoring?.abort();
    this.#restoring = null;
    scrollTo({ top, behavior: "instant" });
    if (!top || typeof ResizeObserver === "undefined") return;
    const restoring = (this.#restoring = new AbortController());
    const watch = new ResizeObserver(() => {
      if (document.documentElement.scrollHeight < top + innerHeight) return;
      stop();
      scrollTo({ top, behavior: "instant" });
    });
    const stop = (): void => {
      restoring.abort();
      if (this.#restoring === restoring) this.#restoring = null;
    };
    const { signal } = restoring;
    signal.addEventListener("abort", () => watch.disconnect());
    for (const act of ["wheel", "touchmove", "keydown", "pointerdown"]) {
      addEventListener(act, stop, { signal, passive: true });
    }
    watch.observe(document.body);
  }
}

export const router = new Router();
