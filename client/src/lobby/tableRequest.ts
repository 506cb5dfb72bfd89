// The form for a new table and the requests it turns into.

export const CLOCKS = { wagers: 15, decision: 20, answer: 10, cut: 5 } as const; // default seconds
export type ClockName = keyof typeof CLOCKS;

/** What a table can require: two people inspect the decks, a floor person answers calls, or awards are paid by hand. */
export const PROCEDURES = ["inspection", "supervisor", "hand_pay"] as const;
export type Procedure = (typeof PROCEDURES)[number];

export interface TableForm {
  rules: string;
  name: string;
  bots: number;
  strategy: string;
  clocks: Record<ClockName, number>;
  jackpots: Record<string, number>; // meter by game; a game without one gets a new meter
  required?: Procedure[];
  reason: string;
}

/** The clocks that differ from the default, in milliseconds. */
export function clocksOf(chosen: Record<ClockName, number>): Record<string, number> {
  const changed = Object.entries(chosen).filter(([name, seconds]) => seconds !== CLOCKS[name as ClockName]);
  return Object.fromEntries(changed.map(([name, seconds]) => [name, Math.round(seconds * 1000)]));
}

export const ownRequest = (form: TableForm) => ({
  rules: form.rules,
  name: form.name.trim(),
  bots: form.bots,
  strategy: form.strategy,
});

export const houseRequest = (form: TableForm, usualName: string, usualReason: string) => ({
  rules: form.rules,
  name: form.name.trim() || usualName,
  clocks: clocksOf(form.clocks),
  jackpots: form.jackpots,
  ...Object.fromEntries((form.required ?? []).map((name) => [name, "required"])),
  reason: form.reason.trim() || usualReason,
});
