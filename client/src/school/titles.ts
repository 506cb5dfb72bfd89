// The titles of the levels, in order.

import { get } from "../lib/api";
import type { LevelData } from "../wire";

export async function levelTitles(): Promise<Map<string, string>> {
  return new Map((await get<LevelData[]>("/school/levels")).map((level) => [level.id, level.title]));
}
