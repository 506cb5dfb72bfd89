import { beforeEach, describe, expect, it, vi } from "vitest";

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
