// Data from the server about decisions, sessions and hands to practice.

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
  hand_words: string; // the hand in words, for speech
  up_words: string;
  item_words: string;
  done: string;
  best: string;
  cost: number;
  cents: number;
  valued: ValuedData | null; // values for the unseen cards at that time; null if the decision was correct
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
  shown: { net: number; house_edge: number; mistakes: number; luck: number }; // whole cents that add up
  luck_deviation: number | null; // null: still being calculated
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
  hands: number; // number of hands on the spot after a split
  hand: number; // the hand to decide
}

export interface DrillData {
  rules: string;
  due: boolean;
  situation: Situation;
  kind: string;
  item: string;
  hand_words: string; // the hand in words, for speech
  up_words: string;
  item_words: string;
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
