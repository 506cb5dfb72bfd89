// The ways to a seat: each ends at the table's own page.

import { post, Problem } from "../lib/api";
import { router } from "../lib/router.svelte";
import { session } from "../lib/session.svelte";
import type { SatDown } from "../wire";

export interface OwnTableRequest {
  rules: string;
  name?: string;
  bots?: number;
  strategy?: string;
}

/** Somebody without an account becomes a guest first. */
export async function ensurePerson(): Promise<void> {
  if (!session.person) await session.guest();
}

/** A table of one's own, with seat and chips. */
export async function dealMeIn(request: OwnTableRequest): Promise<void> {
  await ensurePerson();
  const sat = await post<SatDown>("/tables/own", request);
  router.go(["table", sat.table]);
}

export async function sitAt(table: number): Promise<void> {
  await ensurePerson();
  await post<SatDown>(`/tables/${table}/seat`, {});
  router.go(["table", table]);
}

export const errorMessage = (error: unknown): string => (error instanceof Problem ? error.message : String(error));
