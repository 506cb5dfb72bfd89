// Who plays: the tokens of this browser, renewed before they end.

import { ask, Problem } from "./api";
import type { PersonData, SessionData, TokensData } from "../wire";

const KEPT = "ventiuna.session";
const SOON = 60_000; // milliseconds before the end of a token
const RIGHT = 5_000; // milliseconds that a clock may be off

class Session {
  person = $state.raw<PersonData | null>(null);
  ready = $state(false);
  guestName = $state(""); // of somebody who comes in without an account; the house finds one where it is empty
  #tokens: TokensData | null = null;
  #joining: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;
  #ahead = 0; // milliseconds that the server's clock is ahead of this machine's

  constructor() {
    // Another window renewed the tokens, or logged out.
    addEventListener("storage", (event) => {
      if (event.key === KEPT && this.#tokens) this.#tokens = kept();
    });
  }

  /** The link of the house's owner first, else the tokens that this browser keeps. */
  async begin(): Promise<void> {
    const owner = new URLSearchParams(location.hash.slice(1)).get("owner");
    if (owner) {
      history.replaceState(null, "", location.pathname + location.search);
      await this.#take("/accounts/owner", { token: owner }).catch(() => undefined);
    }
    if (!this.person) {
      this.#tokens = kept();
      if (this.#tokens) this.person = await ask<PersonData>("GET", "/accounts/me").catch(() => null);
      if (!this.person) this.#tokens = null;
    }
    this.ready = true;
  }

  guest(): Promise<void> {
    const name = this.guestName.trim();
    return this.#take("/accounts/guest", name ? { name } : {});
  }

  /** Sign in as a guest unless somebody is signed in already. Simultaneous calls create one guest. */
  async ensureGuest(): Promise<void> {
    if (this.person) return;
    this.#joining ??= this.guest().finally(() => (this.#joining = null));
    await this.#joining;
  }

  logIn(name: string, password: string): Promise<void> {
    return this.#take("/accounts/log-in", { name, password });
  }

  async register(name: string, password: string): Promise<void> {
    this.keep(await ask<SessionData>("POST", "/accounts/register", { body: { name, password } }));
  }

  async logOut(): Promise<void> {
    await ask("POST", "/accounts/log-out", { body: {} }).catch(() => undefined);
    this.forget();
  }

  get is_operator(): boolean {
    return this.person?.role === "operator";
  }

  get is_auditor(): boolean {
    return this.person?.role === "auditor";
  }

  /** The access token, a new one where the old one ends soon; null for who watches. */
  async token(): Promise<string | null> {
    if (this.#tokens && this.#isOverSoon(this.#tokens)) {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = null));
      await this.#renewing;
    }
    return this.#tokens?.access ?? null;
  }

  /** The house's time in milliseconds, whatever the clock of this machine says. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** The `Date` of an answer, in whole seconds; a clock that is nearly right is left alone. */
  hearTime(date: string | null): void {
    const ahead = Date.parse(date ?? "") + 500 - Date.now();
    if (!Number.isNaN(ahead)) this.#ahead = Math.abs(ahead) < RIGHT ? 0 : ahead;
  }

  #isOverSoon(tokens: TokensData): boolean {
    return tokens.access_until - this.now() < SOON;
  }

  keep(found: SessionData): void {
    this.person = found.person;
    this.#tokens = found.tokens;
    try {
      localStorage.setItem(KEPT, JSON.stringify(found.tokens));
    } catch {
      // a browser that keeps nothing: good until the page is closed
    }
  }

  forget(): void {
    this.person = null;
    this.#tokens = null;
    localStorage.removeItem(KEPT);
  }

  /** One window at a time: a refresh token serves once, and a second use counts as theft. */
  async #renew(): Promise<void> {
    if (navigator.locks) await navigator.locks.request(KEPT, () => this.#renewAlone());
    else await this.#renewAlone();
  }

  async #renewAlone(): Promise<void> {
    const stored = kept();
    if (stored && stored.refresh !== this.#tokens?.refresh) {
      this.#tokens = stored; // another window was first
      if (!this.#isOverSoon(stored)) return;
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

function kept(): TokensData | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null") as TokensData | null;
  } catch {
    return null;
  }
}

export const session = new Session();
