// Who plays: tokens of this browser, renewed before they end.

const KEPT = "ventiuna.session";
const SOON = 60_000; // milliseconds before the end of a token

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

export const session = {
  person: null,
  tokens: null,

  async begin(notice) {
    const link = new URLSearchParams(location.hash.slice(1)).get("owner");
    if (link) {
      history.replaceState(null, "", location.pathname + location.search);
      if (await this.take("/accounts/owner", { token: link }, notice)) return;
    }
    this.tokens = kept()?.tokens ?? null;
    this.person = this.tokens ? await this.ask("GET", "/accounts/me", undefined, () => {}) : null;
    if (!this.person) this.tokens = null;
  },

  guest(name, notice) {
    return this.take("/accounts/guest", name ? { name } : {}, notice);
  },

  logIn(given, notice) {
    return this.take("/accounts/log-in", given, notice);
  },

  async take(address, given, notice) {
    const found = await request("POST", address, given, null, notice);
    if (found) this.keep(found);
    return Boolean(found);
  },

  keep(found) {
    this.person = found.person;
    this.tokens = found.tokens;
    localStorage.setItem(KEPT, JSON.stringify({ tokens: found.tokens }));
  },

  // The access token, a new one where the old one ends soon; null for who watches.
  async token() {
    if (!this.tokens) return null;
    if (this.tokens.access_until - Date.now() < SOON) {
      const refresh = { refresh: this.tokens.refresh };
      const found = await request("POST", "/accounts/refresh", refresh, null, () => {});
      if (found) this.keep(found);
      else this.tokens = null;
    }
    return this.tokens?.access ?? null;
  },

  async ask(method, address, given, notice) {
    return request(method, address, given, await this.token(), notice);
  },
};

async function request(method, address, given, token, notice) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (method === "POST") {
    headers["Content-Type"] = "application/json";
    headers["Idempotency-Key"] = crypto.randomUUID();
  }
  try {
    const answer = await fetch(address, {
      method, headers, body: given === undefined ? undefined : JSON.stringify(given),
    });
    const data = await answer.json();
    if (answer.ok) return data;
    notice(data.detail ?? "The house does not answer.");
  } catch {
    notice("The house can't be reached.");
  }
  return null;
}
