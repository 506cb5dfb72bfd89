// Ways to get a seat. Each one ends on the table's page.

import { post } from "../lib/api";
import { router } from "../lib/router.svelte";
import { session } from "../lib/session.svelte";
import type { OwnTable, SatDown } from "../wire";

/** Open a private table and take a seat with chips. */
export async function dealMeIn(request: OwnTable): Promise<void> {
  await session.ensureGuest();
  const sat = await post<SatDown>("/tables/own", request);
  router.go(["table", sat.table]);
}

export async function sitAt(table: number): Promise<void> {
  await session.ensureGuest();
  await post<SatDown>(`/tables/${table}/seat`, {});
  router.go(["table", table]);
}

