// What the server says of decisions, sessions and hands to practise.

import type { CellAddress } from "../study/chart";
import type { ActionOption, AnswerOption, InsuranceOption } from "../wire";

export interface Choice {
  action: string;
  ev: number;
  cost: number;
}

export interface ValuedData {
  unseen: number;
  best: string | null;
  actions: Choice[];
  why: string;
}

export interface AdviceData {
  cards: number[];
  up: number;
  asks: "decision" | "insurance" | "blackjack";
  shoe: ValuedData;
  fresh: ValuedData;
  done: { action: string; cost: number; cents: number | null; sentence: string } | null;
  cell?: CellAddress | null;
}

export interface DecisionData {
  table: number;
  round: number;
  event: number;
  spot: number;
  hand: number;
  cards: number[];
  up: number;
  doublings: number;
  hands: number;
  insurance: boolean;
  kind: string;
  item: string;
  done: string;
  best: string;
  cost: number;
  cents: number;
  valued: ValuedData | null; // of a mistake, by the cards unseen then
  cell: CellAddress | null;
}

export interface CurvePoint {
  table: number;
  round: number;
  at: number;
  net: number;
  expected: number;
  deviation: number;
}

export interface SessionReview {
  rounds: number;
  pending: number;
  spread_pending: boolean;
  base: number;
  net: number;
  house_edge: number;
  mistakes: number;
  luck: number;
  luck_deviation: number | null; // null: still being worked out
  mistakes_deviation: number;
  decisions: number;
  wrong: number;
  worst: DecisionData[];
  kinds: { kind: string; decisions: number; wrong: number; cents: number }[];
  curve: CurvePoint[];
  assumes: string;
}

export interface Situation {
  cards: number[];
  up: number;
  doublings: number;
  insurance: boolean;
  hands: number; // of the spot, after a split
}

export interface DrillData {
  rules: string;
  due: boolean;
  situation: Situation;
  kind: string;
  item: string;
  cell: CellAddress | null;
  options: (ActionOption | AnswerOption | InsuranceOption)[];
}

export interface DrillResult extends AdviceData {
  right: boolean;
  item: string;
  box: number;
  due_at: number;
  asked: number;
  missed: number;
}

/** `14 v 4` as people say it; classes of hands come from the server in this form. */
export function itemWords(item: string, against: (hand: string, up: string) => string): string {
  const [hand = item, up = ""] = item.split(" v ");
  return up ? against(hand, up) : hand.charAt(0).toUpperCase() + hand.slice(1);
}

/** The dealer's up card in such a class; insurance is offered against an ace alone. */
export const upOf = (item: string): string => item.split(" v ")[1] ?? "A";
