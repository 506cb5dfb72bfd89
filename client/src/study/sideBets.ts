// Side bets and jackpots as returned by the server: exact fractions with their values.

export interface Exact {
  exact: string;
  value: number;
}

export interface SideBetsData {
  rules: string;
  cards: number;
  match_the_dealer: {
    odds: { unsuited: number; suited: number };
    outcomes: { outcome: string; profit_per_wager: number; probability: Exact }[];
    win_frequency: Exact;
    house_edge: Exact;
    standard_deviation: number;
  } | null;
  match_the_dealer_together: {
    stakes_cents: Record<string, number>;
    win_frequency: Exact;
    profit_frequency: Exact;
    house_edge: Exact;
    expected_profit_cents: Exact;
    standard_deviation_cents: number;
  } | null;
  super_bonus: {
    hand: string;
    up_card: string;
    assumption: string;
    event: Exact;
    spots: { base_cents: number; super_bonus_cents: number; share_of_base: Exact; expected_super_bonus_cents: Exact }[];
  }[];
  insurance: { seen: string; win_frequency: Exact; break_even_frequency: Exact; house_edge: Exact }[];
  blackjacks: Record<string, Exact>;
  jackpots: JackpotData[];
  command: string;
}

export interface JackpotData {
  game: number;
  table: string;
  pay_table: number;
  kind: string;
  wager_cents: number;
  lines: { key: string; hand: string; pay: string; frequency: Exact; one_in: number | null; expected_pay_cents: Exact; expected_share_of_meter: Exact }[];
  hit_frequency: Exact;
  fixed_return: Exact;
  expected_share_of_meter: Exact;
  printed_house_advantage: Exact;
  published_house_advantage: string | null;
  break_even_meter_cents: number | null;
  contribution: Exact;
  house_hold: Exact;
  at_meter?: { meter_cents: number; return: Exact; house_edge: Exact; standard_deviation: number };
  command: string;
}

/** The meter as a share of a bar that ends at twice the break-even point. */
export function ofBreakEven(meter: number, even: number): number {
  return even > 0 ? Math.min(1, meter / (2 * even)) : 0;
}
