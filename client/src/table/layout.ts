// The print on the felt for these rules, laid out by the server.

import { get } from "../lib/api";
import type { Layout, Wager } from "../wire";
import { NAMES } from "./wagers";

export const printed = (rules: string): Promise<Layout> => get<Layout>("/rules/layout", { rules });

/** Side bets with a position on the felt. */
export function placesOf(layout: Layout): Wager[] {
  return (layout.spots[0]?.wagers ?? []).flatMap(({ name }) => (name === "base" ? [] : (NAMES[name] ?? [])));
}
