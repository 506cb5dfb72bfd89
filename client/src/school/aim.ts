// Where a step goes. An aim is written as steps are typed: `2.1`, `3 up`, `dealer`, `b2`.

export type Aim =
  | { at: "hand"; spot: number; hand: number }
  | { at: "wager"; spot: number; word: string }
  | { at: "place"; word: string };

import type { FeltSeen, StepButton } from "./types";

export function aimText(aim: Aim): string {
  if (aim.at === "hand") return `${aim.spot}.${aim.hand + 1}`;
  return aim.at === "wager" ? `${aim.spot} ${aim.word}` : aim.word;
}

export const sameAim = (one: Aim | null, other: Aim): boolean => one !== null && aimText(one) === aimText(other);

/** Does a step of this kind take such an aim? Only its form is looked at: what is right, the server says. */
export function fits(button: StepButton, aim: Aim | null): boolean {
  if (button.aims === "") return true;
  if (aim === null) return false;
  if (button.aims === "wager") return aim.at !== "place";
  if (button.aims === "place") return aim.at !== "wager";
  return aim.at === "hand";
}

/** The step as it is typed. */
export function stepText(button: StepButton, aim: Aim | null, amount: string): string {
  if (button.aims === "" || aim === null) return button.word;
  const where = button.aims === "spot" && aim.at === "hand" ? String(aim.spot) : aimText(aim);
  return [button.word, where, button.amount ? amount.trim() : ""].filter(Boolean).join(" ");
}

/** All aims of a spot in the order in which its number key goes through them. */
export function aimsOfSpot(felt: FeltSeen, number: number): Aim[] {
  const spot = felt.spots.find((one) => one.number === number);
  if (!spot) return [];
  return [
    ...spot.hands.map((_, hand): Aim => ({ at: "hand", spot: number, hand })),
    ...spot.wagers.map((wager): Aim => ({ at: "wager", spot: number, word: wager.word })),
    ...spot.bonuses.map((bonus): Aim => ({ at: "wager", spot: number, word: bonus.word })),
  ];
}

/** The dealer's own places: the cards still to be dealt there, then the dealer's hand, then Bonus Cards. */
export function dealersAims(felt: FeltSeen): Aim[] {
  const places: Aim[] = [];
  if (felt.dealer.length < 1) places.push({ at: "place", word: "up" });
  if (felt.dealer.length < 2) places.push({ at: "place", word: "down" });
  places.push({ at: "place", word: "dealer" });
  for (let card = 1; card <= felt.bonus_places; card++) places.push({ at: "place", word: `b${card}` });
  return places;
}

/** The next of these aims after the one that is chosen. */
export function nextAim(aims: Aim[], aim: Aim | null): Aim | null {
  if (aims.length === 0) return null;
  const place = aims.findIndex((one) => sameAim(aim, one));
  return aims[(place + 1) % aims.length] ?? null;
}
