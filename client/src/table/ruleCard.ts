// The rule card of a table, loaded once for all panels that show parts of it.

import { get } from "../lib/api";
import type { RuleCardData } from "../wire";

const cards = new Map<string, Promise<RuleCardData>>();

export function ruleCard(rules: string): Promise<RuleCardData> {
  let card = cards.get(rules);
  if (!card) {
    card = get<RuleCardData>("/rules/card", { rules });
    card.catch(() => cards.delete(rules));
    cards.set(rules, card);
  }
  return card;
}
