// The target of a step, written the way steps are typed: `2.1`, `3 up`, `dealer`, `b2`.

import type { DeedTarget, StepButton, TrainingFelt } from "../wire";

export type Target =
  | { at: "hand"; spot: number; hand: number }
  | { at: "wager"; spot: number; word: string }
  | { at: "place"; word: string };

export function targetText(target: Target): string {
  if (target.at === "hand") return `${target.spot}.${target.hand + 1}`;
  return target.at === "wager" ? `${target.spot} ${target.word}` : target.word;
}

export const sameTarget = (one: Target | null, other: Target): boolean => one !== null && targetText(one) === targetText(other);

/** Whether a step accepts this kind of target. Only the server knows whether the step is right. */
export function fits(button: StepButton, target: Target | null): boolean {
  if (button.aims === "") return true;
  if (target === null) return false;
  if (button.aims === "wager") return target.at !== "place";
  if (button.aims === "place") return target.at !== "wager";
  return target.at === "hand";
}

/** The step as typed. */
export function stepText(button: StepButton, target: Target | null, amount: string): string {
  if (button.aims === "" || target === null) return button.word;
  const where = button.aims === "spot" && target.at === "hand" ? String(target.spot) : targetText(target);
  return [button.word, where, button.amount ? amount.trim() : ""].filter(Boolean).join(" ");
}

/** The wager's title; empty for a base wager. */
export function wagerTitle(felt: TrainingFelt, target: Target): string {
  if (target.at !== "wager") return "";
  const spot = felt.spots.find((one) => one.number === target.spot);
  return [...(spot?.wagers ?? []), ...(spot?.bonuses ?? [])].find((one) => one.word === target.word)?.title ?? "";
}

/** All targets on a spot, in the order its number key cycles through them. */
export function targetsOfSpot(felt: TrainingFelt, number: number): Target[] {
  const spot = felt.spots.find((one) => one.number === number);
  if (!spot) return [];
  return [
    ...spot.hands.map((_, hand): Target => ({ at: "hand", spot: number, hand })),
    ...spot.wagers.map((wager): Target => ({ at: "wager", spot: number, word: wager.word })),
    ...spot.bonuses.map((bonus): Target => ({ at: "wager", spot: number, word: bonus.word })),
  ];
}

/** The dealer's cards still to be dealt; a first card dealt face down is the down card. */
export function cardsToCome(felt: TrainingFelt): ("up" | "down")[] {
  if (felt.dealer.length > 1) return [];
  if (felt.dealer.length === 0) return ["up", "down"];
  return felt.dealer[0] === null ? ["up"] : ["down"];
}

/** The dealer's own targets: cards still to be dealt, then the dealer's hand, then Bonus Cards. */
export function dealerTargets(felt: TrainingFelt): Target[] {
  const places = cardsToCome(felt).map((word): Target => ({ at: "place", word }));
  places.push({ at: "place", word: "dealer" });
  for (let card = 1; card <= felt.bonus_places; card++) places.push({ at: "place", word: `b${card}` });
  return places;
}

/** The next target after the selected one. */
export function nextTarget(targets: Target[], target: Target | null): Target | null {
  if (targets.length === 0) return null;
  const place = targets.findIndex((one) => sameTarget(target, one));
  return targets[(place + 1) % targets.length] ?? null;
}

/** A place that the server names, as a target. */
export function pointTarget(point: DeedTarget | null): Target | null {
  if (!point) return null;
  if (point.at === "hand") return { at: "hand", spot: point.spot, hand: point.hand };
  if (point.at === "wager") return { at: "wager", spot: point.spot, word: point.word };
  return { at: "place", word: point.word };
}
