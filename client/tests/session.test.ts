import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const KEPT = "ventiuna.session";
const tokens = (name: string, minutes: number) => ({
  access: `access ${name}`,
  access_until: Date.now() + minutes * 60_000,
  refresh: `refresh ${name}`,
  refresh_until: Date.now() + 86_400_000,
});
const person = { id: 1, name: "Ana", kind: "guest", role: "player" };
const json = (data: unknown, status = 200) =>
  new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } });

async function window_of(): Promise<typeof import("../src/lib/session.svelte").session> {
  vi.resetModules();
  return (await import("../src/lib/session.svelte")).session;
}

describe("a page with a wrong clock", () => {
  it("uses the server's time", async () => {
    localStorage.setItem(KEPT, JSON.stringify(tokens("good", 15)));
    vi.setSystemTime(Date.now() + 3_600_000);
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (address: string) => {
      asked.push(address);
      const date = new Date(Date.now() - 3_600_000).toUTCString();
      const answer = address === "/accounts/me" ? person : { person, tokens: tokens("renewed", -45) }; // by the wrong clock
      return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json", Date: date } });
    });
    const session = await window_of();
    await session.begin();
    for (const _ of [1, 2, 3]) await session.token();
    expect(asked).toEqual(["/accounts/refresh", "/accounts/me"]);
    expect(Math.abs(session.now() - (Date.now() - 3_600_000))).toBeLessThan(2_000);
    vi.useRealTimers();
  });
});

describe("two windows of the same person", () => {
  beforeEach(() => localStorage.clear());

  it("share renewed tokens and use a refresh token once", async () => {
    localStorage.setItem(KEPT, JSON.stringify(tokens("old", 10)));
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (address: string) => {
      asked.push(address);
      return json(person);
    });
    const session = await window_of();
    await session.begin();
    vi.setSystemTime(Date.now() + 16 * 60_000);
    localStorage.setItem(KEPT, JSON.stringify(tokens("of the other window", 15)));
    expect(await session.token()).toBe("access of the other window");
    expect(asked).toEqual(["/accounts/me"]);
    vi.useRealTimers();
  });

  it("forget a person who signed out", async () => {
    localStorage.setItem(KEPT, JSON.stringify(tokens("old", 10)));
    vi.stubGlobal("fetch", async (address: string) =>
      address === "/accounts/me" ? json(person) : json({ code: "token_wanted", detail: "Log in." }, 401),
    );
    const session = await window_of();
    await session.begin();
    vi.setSystemTime(Date.now() + 16 * 60_000);
    expect(await session.token()).toBeNull();
    expect(session.person).toBeNull();
    vi.useRealTimers();
  });
});

describe("a page that opens while the server can't say who this is", () => {
  beforeEach(() => {
    localStorage.clear();
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });
  afterEach(() => vi.useRealTimers());

  it.each([503, 429, 0])("asks again instead of forgetting the person (status %i)", async (status) => {
    localStorage.setItem(KEPT, JSON.stringify(tokens("good", 15)));
    const answers = [status, 200];
    vi.stubGlobal("fetch", async () => {
      const next = answers.shift();
      if (next === 0) throw new TypeError("no connection");
      return next === 200 ? json(person) : json({}, next);
    });
    const session = await window_of();
    const begun = session.begin();
    await vi.advanceTimersByTimeAsync(100);
    expect(session.away).toBe(true);
    expect(session.ready).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    await begun;
    expect(session.person?.name).toBe("Ana");
    expect(await session.token()).toBe("access good");
  });

  it("renews tokens that have expired by the server's clock", async () => {
    localStorage.setItem(KEPT, JSON.stringify(tokens("old", 15)));
    vi.stubGlobal("fetch", async (address: string) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      const headers = { "Content-Type": "application/json", Date: date };
      if (address === "/accounts/me") return new Response("{}", { status: 401, headers });
      return new Response(JSON.stringify({ person, tokens: tokens("renewed", 75) }), { headers });
    });
    const session = await window_of();
    await session.begin();
    expect(session.person?.name).toBe("Ana");
    expect(await session.token()).toBe("access renewed");
  });

  it("forgets a person whose tokens are no longer valid", async () => {
    localStorage.setItem(KEPT, JSON.stringify(tokens("old", 15)));
    vi.stubGlobal("fetch", async () => json({}, 401));
    const session = await window_of();
    await session.begin();
    expect(session.person).toBeNull();
    expect(session.ready).toBe(true);
  });
});

describe("stored settings", () => {
  beforeEach(() => localStorage.clear());

  async function settings_of(stored: unknown): Promise<typeof import("../src/lib/settings.svelte").settings.chosen> {
    localStorage.setItem("ventiuna.settings", JSON.stringify(stored));
    vi.resetModules();
    return (await import("../src/lib/settings.svelte")).settings.chosen;
  }

  it("drop what this version doesn't know", async () => {
    const chosen = await settings_of({ theme: "neon", speed: "fast", mistakes: "x", keys: null, felt: "claret", sound: true });
    expect(chosen).toMatchObject({ theme: "auto", speed: 1, mistakes: 1, keys: {}, felt: "claret", sound: true });
    expect((await settings_of({ keys: { hit: "q", stand: 5 } })).keys).toEqual({ hit: "q" });
  });

  it.each([null, 5, "x", [1, 2]])("may be %j", async (stored) => {
    expect(await settings_of(stored)).toMatchObject({ theme: "auto", speed: 1, keys: {} });
  });
});
