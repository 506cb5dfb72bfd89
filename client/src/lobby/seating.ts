// Ways to get a seat. Each one ends on the table's page.

import { post } from "../lib/api";
import { router } from "../lib/router.svelte";
import { session } from "../lib/session.svelte";
import type { OwnTable, SatDown } from "../wire";

/** People who ask for a seat expect to become a guest. */
async function joined(): Promise<void> {
  const isKnown = session.person !== null;
  await session.ensureGuest();
  if (!isKnown) session.isNewGuest = false;
}

/** Open a private table and take a seat with chips. */
export async function dealMeIn(request: OwnTable): Promise<void> {
  await joined();
  const sat = await post<SatDown>("/tables/own", request);
  router.go(["table", sat.table]);
}

export async function sitAt(table: number): Promise<void> {
  await joined();
  await post<SatDown>(`/tables/${table}/seat`, {});
  router.go(["table", table]);
}

