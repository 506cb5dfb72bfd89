// Positions on the stage: (spot, hand, card) → x, y, rotation, scale. The stage is one frame scaled as a
// whole, so motion only changes positions and nothing inside it reflows.

import type { Arc } from "../wire";

export interface Frame {
  width: number;
  height: number;
  edge: number; // lower edge of the felt at the ends of the frame
  mid: number; // lower edge in the middle
  low: boolean; // without printed blocks and arc
  banner: { x: number; y: number; width: number }; // over the arc or below the dealer
}

export const TALL: Frame = { width: 1080, height: 720, edge: 590, mid: 694, low: false, banner: { x: 220, y: 268, width: 640 } };
export const LOW: Frame = { width: 1080, height: 560, edge: 430, mid: 534, low: true, banner: { x: 220, y: 180, width: 640 } };

/** A card's center, rotation in degrees, and width. */
export interface Place {
  x: number;
  y: number;
  turn: number;
  width: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export const CARD = { mine: 96, many: 76, rest: 68, restMany: 54, fold: 46, other: 52, otherMany: 42, otherFold: 34 };
export const DEALER = { width: 84, gap: 8, top: 20, room: 256, lowRoom: 184 };
export const BONUS = { width: 44, gap: 8, top: 182, low: { width: 41, gap: 4, left: 641, top: 30 } };
export const SHOE_MOUTH: Point = { x: 880, y: 62 };
export const TRAY: Point = { x: 112, y: 52 };
const TALLNESS = 1.4;
const VISIBLE = 0.42; // share of a card that stays visible under the next one
const ROW = 4; // cards per row
const ROW_STEP = 0.82;
const FOLD_STEP = 0.8;
const RING = 7;
const ABOVE_EDGE = { foot: 17, name: 11 }; // of a spot's middle, and of the outer end of its name
const NAME = 72; // half of the longest name's width
const DOUBLED_STEP = { mine: 0.9, other: 0.62 }; // of sideways cards; rank and suit stay visible on the player's own
const SPACE = { name: 18, gap: 8, tag: 24, sides: 25, bet: 46, foldBet: 34, otherBet: 46, otherGap: 7 };
const HAND_GAP = 18;
const TOTAL = { width: 60, height: 30 };
const SHARES = [1, 0.84, 0.7]; // card sizes to try, relative to the normal size
const MOST_EXTRA = 160; // height added to a frame

/** The frame with a lower rail, if the room is taller than the frame at this scale. Half of it stays around the frame. */
export function stretched(frame: Frame, height: number): Frame {
  const extra = Math.max(0, Math.min((height - frame.height) / 2, MOST_EXTRA));
  return { ...frame, height: frame.height + extra, edge: frame.edge + extra, mid: frame.mid + extra };
}

export const curve = (frame: Frame, x: number): number => {
  const t = x / frame.width;
  return frame.edge + 4 * t * (1 - t) * (frame.mid - frame.edge);
};

// --- elastic arc ----------------------------------------------------------------------------

export type Role = "empty" | "other" | "mine" | "board";

export interface SpotShape {
  number: number;
  role: Role;
  hands: HandShape[];
  hasTags: boolean;
  sides: number; // number of side bets
}

export interface HandShape {
  key: string;
  cards: { key: string; sideways: boolean }[];
  now: boolean;
}

export const BOARD_WIDTH = 350;
const WIDEST = 434;
const SIDE = 28; // distance between side bets
const SIDES_IN_ROW = 5; // per row if there are two rows because one doesn't fit
const NEEDS: Record<Role, [least: number, usual: number]> = {
  empty: [84, 96],
  other: [94, 116],
  mine: [152, 252],
  board: [BOARD_WIDTH, BOARD_WIDTH],
};

/** Each spot's share of the frame. */
export function shares(frame: Frame, spots: SpotShape[]): Map<number, number> {
  const wanted = spots.map((spot) => {
    const [least, usual] = NEEDS[spot.role];
    if (spot.role !== "mine") return { spot, least, usual };
    const hands = Math.min(handsWidth(spot.hands) + HAND_GAP, WIDEST);
    return { spot, least: Math.max(least, hands), usual: Math.max(usual, hands + HAND_GAP) };
  });
  const usual = wanted.reduce((sum, want) => sum + want.usual, 0);
  const least = wanted.reduce((sum, want) => sum + want.least, 0);
  const room = frame.width - 8;
  // between the minimum and the preferred width; below the minimum, all shrink equally
  const ease = usual <= room ? 1 : Math.max(0, (room - least) / (usual - least));
  const squeeze = least > room ? room / least : 1;
  return new Map(
    wanted.map(({ spot, least: from, usual: to }) => [spot.number, (from + (to - from) * ease) * squeeze]),
  );
}

/** The foot of each spot. Spot 1 is on the dealer's left, the viewer's right. */
export function feet(frame: Frame, widths: Map<number, number>): Map<number, Point> {
  const total = [...widths.values()].reduce((sum, width) => sum + width, 0);
  let x = (frame.width - total) / 2;
  const found = new Map<number, Point>();
  for (const number of [...widths.keys()].sort((a, b) => b - a)) {
    const width = widths.get(number) ?? 0;
    const middle = x + width / 2;
    const name = Math.min(NAME, width / 2);
    const outer = Math.min(curve(frame, middle - name), curve(frame, middle + name));
    found.set(number, { x: middle, y: Math.min(curve(frame, middle) - ABOVE_EDGE.foot, outer - ABOVE_EDGE.name) });
    x += width;
  }
  return found;
}

// --- one hand -------------------------------------------------------------------------------

export type Mode = "now" | "rest" | "fold" | "other" | "other-fold";

interface HandLayout {
  width: number;
  height: number;
  card: number;
  places: Map<string, Place>; // relative to the left end and the lower edge; y is negative upward
}

/** The cards of a hand, relative to its lower left corner. */
export function layHand(hand: HandShape, mode: Mode, share = 1): HandLayout {
  if (mode === "fold") return column(hand, CARD.fold);
  if (mode === "other-fold") return column(hand, CARD.otherFold);
  return rows(hand, mode, share);
}

function rows(hand: HandShape, mode: "now" | "rest" | "other", share: number): HandLayout {
  const upright = hand.cards.filter((card) => !card.sideways);
  const sideways = hand.cards.filter((card) => card.sideways);
  const isMany = upright.length > ROW;
  const usual = { now: CARD.mine, rest: CARD.rest, other: CARD.other }[mode];
  const many = { now: CARD.many, rest: CARD.restMany, other: CARD.otherMany }[mode];
  const card = share * (isMany ? many : usual);
  const places = new Map<string, Place>();
  const inRow = upright.length > 2 * ROW ? Math.ceil(upright.length / 3) : ROW;
  const last = Math.max(0, Math.ceil(upright.length / inRow) - 1);
  let width = 0;
  upright.forEach(({ key }, index) => {
    const row = Math.floor(index / inRow);
    const x = (index % inRow) * VISIBLE * card;
    const y = -(last - row) * ROW_STEP * card - (card * TALLNESS) / 2;
    places.set(key, { x: x + card / 2, y, turn: 0, width: card });
    width = Math.max(width, x + card);
  });
  let left = width - card * 0.44; // left edge of sideways cards, whose index stays readable
  sideways.forEach(({ key }) => {
    places.set(key, { x: left + card * 0.7, y: -card * 0.54, turn: -90, width: card });
    width = left + card * TALLNESS;
    left += card * DOUBLED_STEP[mode === "other" ? "other" : "mine"];
  });
  return { width, height: card * TALLNESS + last * ROW_STEP * card, card, places };
}

function column(hand: HandShape, card: number): HandLayout {
  const places = new Map<string, Place>();
  const step = card * FOLD_STEP;
  const last = hand.cards.length - 1;
  hand.cards.forEach(({ key }, index) => {
    places.set(key, { x: card / 2, y: -(last - index) * step - (card * TALLNESS) / 2, turn: 0, width: card });
  });
  return { width: card, height: card * TALLNESS + Math.max(0, last) * step, card, places };
}

function handsWidth(hands: HandShape[]): number {
  const modes = modesOf(hands);
  const widths = hands.map((hand, index) => layHand(hand, modes[index] ?? "rest").width + (hand.now ? 2 * RING : 0));
  return widths.reduce((sum, width) => sum + width, 0) + gapOf(modes) * Math.max(0, hands.length - 1);
}

const gapOf = (modes: Mode[]): number => (modes.includes("fold") ? 16 : HAND_GAP);

/** The hand in play is shown in full; the others fold if they don't fit next to it. */
function modesOf(hands: HandShape[]): Mode[] {
  const open = hands.map((hand): Mode => (hand.now ? "now" : "rest"));
  const width = hands.reduce((sum, hand, index) => sum + layHand(hand, open[index] ?? "rest").width, 0);
  const isTight = hands.length > 2 || width + HAND_GAP * hands.length > WIDEST;
  return isTight && hands.length > 1 ? hands.map((hand): Mode => (hand.now ? "now" : "fold")) : open;
}

// --- one spot -------------------------------------------------------------------------------

export interface HandPlace {
  key: string;
  mode: Mode;
  cards: Map<string, Place>;
  total: Point; // middle of its lower edge
  ring: Box; // around the cards
  bet: Point; // center of the chips
}

export interface SpotPlace {
  foot: Point;
  width: number;
  name: Point; // middle of the upper edge, like the next two
  tags: Point;
  sides: Point;
  sidesWidth: number;
  bet: Point; // position of the bet on a spot without cards
  top: number; // top of its highest hand
  hands: HandPlace[];
}

/** The lowest point of the print above this position. */
export type PrintEnd = (x: number) => number;
const NO_PRINT: PrintEnd = () => 0;
const LETTER = 0.5; // width of a letter relative to its size, without spacing
const BELOW = 0.4; // descent below the baseline relative to the size, plus some margin

/** The lower end of the text along these arcs. */
export const arcsEnd =
  (arcs: Arc[]): PrintEnd =>
  (x) =>
    Math.max(0, ...arcs.map((arc) => arcEnd(arc, x)));

/** The lower end of the dealer's total. */
export const dealerEnd = (x: number): number =>
  Math.abs(x - LOW.width / 2) < 2 * TOTAL.width ? DEALER.top + DEALER.width * TALLNESS + 8 + TOTAL.height : 0;

function arcEnd(arc: Arc, x: number): number {
  const half = (arc.words.length * arc.size * (LETTER + arc.spacing)) / 2;
  const near = Math.max(0, Math.abs(x - arc.cx) - TOTAL.width / 2); // the print is lowest in the middle
  if (near > half) return 0;
  const t = 0.5 - near / (arc.x1 - arc.x0);
  return (1 - t) ** 2 * arc.y0 + 2 * t * (1 - t) * arc.cy + t ** 2 * arc.y1 + BELOW * arc.size;
}

export function laySpot(foot: Point, width: number, spot: SpotShape, printEnd = NO_PRINT): SpotPlace {
  if (spot.role !== "mine" && spot.role !== "board") return layOther(foot, width, spot);
  // Smaller cards keep the totals off the print. If none are small enough, the print fades.
  const tries = SHARES.map((share) => layMine(foot, width, spot, share));
  return tries.find((place) => !isOnPrint(place, printEnd)) ?? (tries[0] as SpotPlace);
}

export const isOnPrint = (place: SpotPlace, printEnd: PrintEnd): boolean =>
  place.hands.some(({ total }) => total.y - TOTAL.height < printEnd(total.x));

function layMine(foot: Point, width: number, spot: SpotShape, share: number): SpotPlace {
  let y = foot.y - SPACE.name;
  const name = { x: foot.x, y };
  const tags = { x: foot.x, y: y - SPACE.gap - SPACE.tag };
  if (spot.hasTags) y = tags.y;
  const inRow = spot.sides * SIDE > width ? SIDES_IN_ROW : spot.sides;
  if (spot.sides) y -= SPACE.gap + SPACE.sides * Math.ceil(spot.sides / inRow);
  const sides = { x: foot.x, y };
  const modes = modesOf(spot.hands);
  const laid = spot.hands.map((hand, index) => layHand(hand, modes[index] ?? "rest", share));
  const widths = laid.map((hand, index) => hand.width + (spot.hands[index]?.now ? 2 * RING : 0));
  const total = widths.reduce((sum, found) => sum + found, 0) + gapOf(modes) * Math.max(0, laid.length - 1);
  let right = foot.x + total / 2; // the first hand is on the right
  const hands = spot.hands.map((hand, index): HandPlace => {
    const mode = modes[index] ?? "rest";
    const found = laid[index] as HandLayout;
    const bet = mode === "fold" ? SPACE.foldBet : SPACE.bet;
    const floor = y - SPACE.gap - bet - 7 - (hand.now ? RING : 0);
    const left = right - (widths[index] ?? 0) + (hand.now ? RING : 0);
    const middle = left + found.width / 2;
    right = right - (widths[index] ?? 0) - gapOf(modes);
    return handPlace(hand, mode, found, left, floor, { x: middle, y: y - SPACE.gap - bet / 2 });
  });
  const sidesWidth = inRow * SIDE;
  return { foot, width, name, tags, sides, sidesWidth, bet: { x: foot.x, y: y - SPACE.gap - 36 }, top: topOf(hands, y), hands };
}

function layOther(foot: Point, width: number, spot: SpotShape): SpotPlace {
  const name = { x: foot.x, y: foot.y - SPACE.name };
  const bet = { x: foot.x, y: name.y - SPACE.otherGap - SPACE.otherBet / 2 };
  const floor = name.y - 2 * SPACE.otherGap - SPACE.otherBet;
  const mode: Mode = spot.hands.length > 1 ? "other-fold" : "other";
  const laid = spot.hands.map((hand) => layHand(hand, mode));
  const gap = 5;
  const total = laid.reduce((sum, hand) => sum + hand.width, 0) + gap * Math.max(0, laid.length - 1);
  let right = foot.x + total / 2;
  const hands = spot.hands.map((hand, index): HandPlace => {
    const found = laid[index] as HandLayout;
    const left = right - found.width;
    right = left - gap;
    return handPlace(hand, mode, found, left, floor, bet);
  });
  return { foot, width, name, tags: { x: foot.x, y: floor }, sides: name, sidesWidth: 0, bet, top: topOf(hands, floor), hands };
}

function handPlace(hand: HandShape, mode: Mode, laid: HandLayout, left: number, floor: number, bet: Point): HandPlace {
  const cards = new Map(
    [...laid.places].map(([key, place]) => [key, { ...place, x: place.x + left, y: place.y + floor }]),
  );
  const inset = hand.now ? RING : 0;
  const ring = {
    x: left - inset,
    y: floor - laid.height - inset,
    width: laid.width + 2 * inset,
    height: laid.height + 2 * inset,
  };
  const total = { x: left + laid.width / 2, y: ring.y - 7 };
  return { key: hand.key, mode, cards, total, ring, bet };
}

const topOf = (hands: HandPlace[], usual: number): number =>
  Math.min(usual, ...hands.map((hand) => hand.total.y - TOTAL.height));

// --- dealer ---------------------------------------------------------------------------------

export function dealerPlaces(frame: Frame, keys: string[]): Map<string, Place> {
  const { width, gap, top } = DEALER;
  const room = frame.low ? DEALER.lowRoom : DEALER.room;
  const count = Math.max(keys.length, 2);
  const step = Math.min(width + gap, (room - width) / (count - 1));
  const left = frame.width / 2 - (width + step * (count - 1)) / 2;
  const y = top + (width * TALLNESS) / 2;
  return new Map(keys.map((key, index) => [key, { x: left + index * step + width / 2, y, turn: 0, width }]));
}

/** Below the dealer's cards, or next to them in the low frame. */
export function bonusPlaces(frame: Frame, count: number): Place[] {
  const { width, gap } = frame.low ? BONUS.low : BONUS;
  const step = width + gap;
  const left = frame.low ? BONUS.low.left : frame.width / 2 - ((count - 1) * step + width) / 2;
  const top = frame.low ? BONUS.low.top : BONUS.top;
  return Array.from({ length: count }, (_, index) => ({
    x: left + index * step + width / 2,
    y: top + (width * TALLNESS) / 2,
    turn: 0,
    width,
  }));
}
