// Where the page is: `#/study/edge?rules=wsgc-2021`. Paths belong to the server's own routes.

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

class Router {
  place = $state.raw<Place>(placeOf(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.place = placeOf(location.hash)));
  }

  go(path: (string | number)[], query: Record<string, string> = {}): void {
    location.hash = address(path, query);
  }

  /** The same page with another query, without a new entry in the browser's history. */
  replace(path: (string | number)[], query: Record<string, string> = {}): void {
    history.replaceState(null, "", address(path, query));
    this.place = placeOf(location.hash);
  }
}

export const router = new Router();
