import { render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import Banner from "../../src/table/Banner.svelte";
import { LiveTable } from "../../src/table/live.svelte";

it("keeps the reconnect countdown out of the alert, which would be read every second", () => {
  const table = new LiveTable(1, { open: () => null as never, token: () => Promise.resolve(null), now: () => 0, later: () => () => undefined, key: () => "" });
  table.link = { kind: "lost", again: Date.now() + 8_000, restart: false } as never;
  render(Banner, { table });
  expect(screen.getByRole("alert").textContent).not.toMatch(/\d/);
  expect(screen.getByText(/\d+ s/)).toBeTruthy();
});

it("lets the clock run on for a lost client, but not while the server restarts", () => {
  const table = new LiveTable(1, { open: () => null as never, token: () => Promise.resolve(null), now: () => 0, later: () => () => undefined, key: () => "" });
  table.link = { kind: "lost", again: 0, restart: false };
  expect(table.clocksWait).toBe(false);
  table.link = { kind: "lost", again: 0, restart: true };
  expect(table.clocksWait).toBe(true);
});
