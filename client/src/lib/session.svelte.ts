// The signed-in person and the tokens of this browser, renewed before they expire.

import { ask, Problem } from "./api";
import type { Person, SessionData, Tokens } from "../wire";

const KEPT = "ventiuna.session";
const SOON = 60_000; // renew a token this many milliseconds before it expires
const RIGHT = 5_000; // tolerated clock difference in milliseconds
const RETRY = 2_000; // milliseconds

class Session {
  person = $state.raw<Person | null>(null);
  ready = $state(false);
  away = $state(false); // the server hasn't yet said who this is
  isNewGuest = $state(false); // a page created a guest, and the visitor hasn't been told yet
  guestName = $state(""); // name for a new guest; if empty, the server picks one
  #tokens: Tokens | null = null;
  #joining: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;
  #ahead = 0; // how far the server's clock is ahead of this machine's, in milliseconds

  constructor() {
    // Another window renewed the tokens or signed out.
    addEventListener("storage", (event) => {
      if (event.key === KEPT && this.#tokens) this.#tokens = kept();
    });
  }

  /** Sign in with the owner's one-time link if there is one, otherwise with the stored tokens. */
  async begin(): Promise<void> {
    const owner = new URLSearchParams(location.hash.slice(1)).get("owner");
    if (owner) {
      history.replaceState(null, "", location.pathname + location.search);
      await this.#take("/accounts/owner", { token: owner }).catch(() => undefined);
    }
    if (!this.person) {
      this.#tokens = kept();
      if (this.#tokens) this.person = await this.#resume();
      if (!this.person) this.#tokens = null;
    }
    this.ready = true;
  }

  /**
   * The person with the stored tokens, or null if they are no longer valid. If the server doesn't
   * say, ask again: going on without the tokens would replace a guest by a new one.
   */
  async #resume(): Promise<Person | null> {
    for (;;) {
      try {
        return await ask<Person>("GET", "/accounts/me");
      } catch (error) {
        const status = error instanceof Problem ? error.status : 0;
        if (status === 401) {
          await this.token(); // by the server's clock, which is known now, it may only have expired
          if (this.person || !this.#tokens || !this.#expiresSoon(this.#tokens)) return this.person;
        } else if (status >= 400 && status < 500 && status !== 429) return null;
      }
      this.away = true;
      await new Promise((again) => setTimeout(again, RETRY));
    }
  }

  guest(): Promise<void> {
    const name = this.guestName.trim();
    return this.#take("/accounts/guest", name ? { name } : {});
  }

  /** Sign in as a guest unless someone is signed in already. Simultaneous calls create one guest. */
  async ensureGuest(): Promise<void> {
    if (this.person) return;
    this.#joining ??= this.guest().finally(() => (this.#joining = null));
    await this.#joining;
    this.isNewGuest = true;
  }

  /** Change a guest's name. */
  async rename(name: string): Promise<void> {
    this.person = await ask<Person>("POST", "/accounts/name", { body: { name } });
    this.isNewGuest = false;
  }

  logIn(name: string, password: string): Promise<void> {
    return this.#take("/accounts/log-in", { name, password });
  }

  async register(name: string, password: string): Promise<void> {
    this.keep(await ask<SessionData>("POST", "/accounts/register", { body: { name, password } }));
  }

  /** Change the password; this browser stays signed in, and all others are signed out. */
  async changePassword(password: string, chosen: string): Promise<void> {
    this.keep(await ask<SessionData>("POST", "/accounts/password", { body: { password, new: chosen } }));
  }

  /** Choose a new password with a one-time code from an operator. */
  reset(name: string, code: string, password: string): Promise<void> {
    return this.#take("/accounts/reset", { name, code, password });
  }

  async exclude(days: number): Promise<void> {
    await ask("POST", "/accounts/exclusion", { body: { days } });
    this.forget();
  }

  async logOut(): Promise<void> {
    await ask("POST", "/accounts/log-out", { body: {} }).catch(() => undefined);
    this.forget();
  }

  get is_owner(): boolean {
    return this.person?.role === "owner";
  }

  get is_operator(): boolean {
    return this.person?.role === "operator" || this.is_owner;
  }

  get is_auditor(): boolean {
    return this.person?.role === "auditor";
  }

  /** Whether the books, people and reports are visible. */
  get mayInspect(): boolean {
    return this.is_operator || this.is_auditor;
  }

  get seesFloor(): boolean {
    return this.mayInspect || this.person?.role === "floor";
  }

  /** The access token, renewed if it expires soon; null for spectators. */
  async token(): Promise<string | null> {
    if (this.#tokens && this.#expiresSoon(this.#tokens)) {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = null));
      await this.#renewing;
    }
    return this.#tokens?.access ?? null;
  }

  /** The server's time in milliseconds, regardless of this machine's clock. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Read the clock difference from a response's `Date` header, which has whole seconds. Small differences are ignored. */
  syncClock(date: string | null): void {
    const ahead = Date.parse(date ?? "") + 500 - Date.now();
    if (!Number.isNaN(ahead)) this.#ahead = Math.abs(ahead) < RIGHT ? 0 : ahead;
  }

  #expiresSoon(tokens: Tokens): boolean {
    return tokens.access_until - this.now() < SOON;
  }

  keep(found: SessionData): void {
    this.person = found.person;
    this.#tokens = found.tokens;
    try {
      localStorage.setItem(KEPT, JSON.stringify(found.tokens));
    } catch {
      // no storage: the session lasts until the page is closed
    }
  }

  forget(): void {
    this.person = null;
    this.#tokens = null;
    try {
      localStorage.removeItem(KEPT);
    } catch {
      // no storage
    }
  }

  /** Renew in one window at a time: a refresh token works once, and a second use counts as theft. */
  async #renew(): Promise<void> {
    if (navigator.locks) await navigator.locks.request(KEPT, () => this.#renewAlone());
    else await this.#renewAlone();
  }

  async #renewAlone(): Promise<void> {
    const stored = kept();
    if (stored && stored.refresh !== this.#tokens?.refresh) {
      this.#tokens = stored; // another window renewed first
      if (!this.#expiresSoon(stored)) return;
    }
    const refresh = this.#tokens?.refresh;
    try {
      this.keep(await ask<SessionData>("POST", "/accounts/refresh", { body: { refresh }, anonymous: true }));
    } catch (error) {
      if (error instanceof Problem && error.status === 401) this.forget();
    }
  }

  async #take(path: string, body: unknown): Promise<void> {
    this.keep(await ask<SessionData>("POST", path, { body, anonymous: true }));
  }
}

function kept(): Tokens | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null") as Tokens | null;
  } catch {
    return null;
  }
}

export const session = new Session();
