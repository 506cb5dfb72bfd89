import { describe, expect, it } from "vitest";
import {
  arcsEnd,
  BONUS,
  bonusPlaces,
  dealerEnd,
  dealerPlaces,
  feet,
  isOnPrint,
  laySpot,
  LOW,
  shares,
  SHOE_MOUTH,
  stretched,
  TALL,
  type HandShape,
  type Place,
  type PrintEnd,
  type SpotShape,
} from "../../src/table/places";

let made = 0;
const hand = (cards: number, now = false, sideways = 0): HandShape => ({
  key: `hand ${++made}`,
  now,
  cards: Array.from({ length: cards }, (_, index) => ({ key: `card ${++made}`, sideways: index >= cards - sideways })),
});
const spot = (number: number, role: SpotShape["role"], ...hands: HandShape[]): SpotShape => ({ number, role, hands, hasTags: false, sides: 9 });

/** The fullest felt: seven spots, four split hands, seven cards in one of them. */
const fullest = (now = hand(7, true)): SpotShape[] => [
  spot(1, "other", hand(2)),
  spot(2, "other", hand(4)),
  spot(3, "other", hand(2)),
  spot(4, "mine", hand(2), hand(4), hand(4), now),
  spot(5, "other", hand(2)),
  spot(6, "other", hand(2)),
  spot(7, "other", hand(2)),
];

function lay(shapes: SpotShape[], frame = TALL, printEnd?: PrintEnd) {
  const widths = shares(frame, shapes);
  const standing = feet(frame, widths);
  return shapes.map((shape) => laySpot(standing.get(shape.number) ?? { x: 0, y: 0 }, widths.get(shape.number) ?? 0, shape, printEnd));
}

const box = (place: Place) => {
  const [width, height] = place.turn ? [place.width * 1.4, place.width] : [place.width, place.width * 1.4];
  return { left: place.x - width / 2, right: place.x + width / 2, top: place.y - height / 2, bottom: place.y + height / 2 };
};

describe("positions on the stage", () => {
  it("puts spot 1 and the first split hand on the right", () => {
    const [first, second] = lay([spot(1, "mine", hand(2), hand(2)), spot(2, "empty")]);
    expect(first?.foot.x).toBeGreaterThan(second?.foot.x ?? 0);
    expect(first?.hands[0]?.ring.x).toBeGreaterThan(first?.hands[1]?.ring.x ?? 0);
  });

  it("keeps the fullest felt within the frame, in both frames", () => {
    for (const frame of [TALL, LOW]) {
      for (const placed of lay(fullest(), frame)) {
        for (const found of placed.hands.flatMap((one) => [...one.cards.values()])) {
          const { left, right, top } = box(found);
          expect(left).toBeGreaterThanOrEqual(-2);
          expect(right).toBeLessThanOrEqual(frame.width + 2);
          expect(top).toBeGreaterThan(0);
        }
      }
    }
  });

  it("keeps the cards of neighbors apart", () => {
    const placed = lay(fullest());
    const spans = placed
      .map((one) => one.hands.flatMap((found) => [...found.cards.values()].map(box)))
      .map((boxes) => ({ left: Math.min(...boxes.map((found) => found.left)), right: Math.max(...boxes.map((found) => found.right)) }))
      .sort((a, b) => a.left - b.left);
    spans.forEach((span, index) => {
      const next = spans[index + 1];
      if (next) expect(span.right).toBeLessThanOrEqual(next.left + 4);
    });
  });

  it("leaves the index of every card visible", () => {
    for (const count of [2, 4, 5, 8, 9, 12]) {
      for (const found of lay([spot(4, "mine", hand(count, true))])[0]?.hands ?? []) {
        const all = [...found.cards.values()].map(box);
        all.forEach((one, index) => {
          const over = all.slice(index + 1).filter((other) => other.left < one.left + 0.4 * (one.right - one.left) && other.right > one.left);
          for (const other of over) expect(other.top).toBeGreaterThan(one.top + 0.5 * (one.bottom - one.top));
        });
      }
    }
  });

  it("lays three doublings in a row, each readable", () => {
    const [placed] = lay([spot(4, "mine", hand(5, true, 3))]);
    const turned = [...(placed?.hands[0]?.cards.values() ?? [])].filter((place) => place.turn);
    expect(turned).toHaveLength(3);
    expect(turned.map((place) => place.x)).toEqual([...turned.map((place) => place.x)].sort((a, b) => a - b));
  });

  it("lowers the rail in a taller room, but not without end", () => {
    const frame = stretched(LOW, LOW.height + 120);
    expect([frame.height, frame.mid]).toEqual([LOW.height + 60, LOW.mid + 60]);
    expect(stretched(LOW, 100)).toEqual(LOW);
    expect(stretched(TALL, 9999).height).toBeLessThan(1000);
  });

  it("keeps totals off the dealer's total in the low frame", () => {
    const full = { ...spot(4, "mine", hand(5, true)), hasTags: true };
    const shapes = [1, 2, 3, 5, 6, 7].map((number) => spot(number, "other", hand(2)));
    const placed = lay([...shapes.slice(0, 3), full, ...shapes.slice(3)], LOW, dealerEnd);
    expect(placed.some((place) => isOnPrint(place, dealerEnd))).toBe(false);
    expect(dealerEnd(100)).toBe(0); // beside it
  });

  it("fits any number of dealer cards into their space", () => {
    for (const count of [1, 2, 3, 5, 9]) {
      const places = [...dealerPlaces(TALL, Array.from({ length: count }, (_, index) => `c${index}`)).values()];
      expect(Math.max(...places.map((place) => box(place).right))).toBeLessThanOrEqual(540 + 140);
      expect(Math.min(...places.map((place) => box(place).left))).toBeGreaterThanOrEqual(540 - 140);
    }
  });

  it("keeps totals off the text along the arcs", () => {
    const arc = { words: "Blackjack pays 3 to 2 · Dealer hits soft 17 · Insurance pays 2 to 1", size: 15, spacing: 0.12, strong: false };
    const printEnd = arcsEnd([{ ...arc, x0: 190, y0: 287, cx: 540, cy: 381, x1: 890, y1: 287 }]);
    expect(printEnd(540)).toBeGreaterThan(334);
    expect(printEnd(100)).toBe(0); // beside the text
    for (const turn of [3, 4, 5]) {
      const shapes = [1, 2, 3, 4, 5, 6].map((number) => {
        const isMine = number >= 3 && number <= 5;
        return { ...spot(number, isMine ? "mine" : "other", hand(2, number === turn)), hasTags: isMine };
      });
      const placed = lay(shapes, TALL, printEnd);
      expect(placed.some((place) => isOnPrint(place, printEnd))).toBe(false);
    }
    const [alone] = lay([spot(4, "mine", hand(2, true))], TALL, printEnd);
    expect([...(alone?.hands[0]?.cards.values() ?? [])].map((place) => place.width)).toEqual([96, 96]); // no smaller than necessary
  });

  it("has room for five Bonus Cards", () => {
    expect(bonusPlaces(TALL, 5).map((place) => Math.round(place.x))).toEqual([436, 488, 540, 592, 644]);
    expect(bonusPlaces(LOW, 5).every((place) => place.width === BONUS.low.width)).toBe(true);
    expect(bonusPlaces(LOW, 5).at(-1)?.x).toBeLessThan(SHOE_MOUTH.x - BONUS.width / 2); // beside the shoe, not on it
  });
});
