// On the house overview, anyone can cancel a running audit.
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import OverviewPage from "../src/house/pages/OverviewPage.svelte";

const asked: string[] = [];
let state = "running";

vi.mock("../src/lib/api", () => {
  const audit = () => ({ id: 3, state, entries: 100, of: 2_000, result: null });
  const answers: Record<string, unknown> = { "/ledger": { lines: [], sum: 0 }, "/floor": { alerts: [], awards: [], tables: [] } };
  return {
    get: async (path: string) => (path === "/audits" ? [audit()] : path.startsWith("/audits/") ? audit() : (answers[path] ?? { day: "", tables: [], meters: [], seal: null })),
    post: async () => audit(),
    ask: async (method: string, path: string) => {
      asked.push(`${method} ${path}`);
      state = "cancelled";
      return audit();
    },
  };
});

beforeEach(() => {
  asked.length = 0;
  state = "running";
});
afterEach(cleanup);

it("shows a running audit and cancels it", async () => {
  render(OverviewPage);
  expect(await screen.findByText("100 of 2,000 entries")).toBeTruthy();
  expect(screen.queryByText("Run audit")).toBeNull();
  await fireEvent.click(screen.getByText("Cancel audit"));
  expect(asked).toEqual(["DELETE /audits/3"]);
  expect(await screen.findByText(/^Canceled/)).toBeTruthy();
  expect(screen.getByText("Run audit")).toBeTruthy();
});
