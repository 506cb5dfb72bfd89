// The test vector from docs/fairness.md. A verifier that doesn't reproduce it is broken.

import { code } from "../../lib/cards";
import { commitmentOf, cutCommitment, mixOf, sha256, text, toHex, unshuffled, Words, type Bytes } from "./recipe";
import type { ContextData } from "../../wire";

const CONTEXT: ContextData = { house: "h1", table: "t1", shoe: 1, rules: "example", pack: "spanish", decks: 8, burn: 0, cut: 75 };
const from = (first: number): Bytes => Uint8Array.from({ length: 32 }, (_, index) => first + index);

export const VECTOR = {
  commitment: "bed3cda71ca154482e4af57ac5b59c4a1e5f2eb51a49ae8e3cdcf8288c756791",
  seat2: "92c6c722f37506ad107e64956ecc41473b9685cf6391defd2237bf64bfa5f6c8",
  seat5: "8ede2c52c015c17ea1a75ffe8062802ed5980e5a6e92dba685699b1ee8b2b8ba",
  mix: "6ef5e199f266dc5ec9fe38d47837c60ea91a6786be42427e9b62fc9b0b8d7299",
  words: "64386d57 eea7cb83 2647b518 319045f8",
  cards: "2c 8d 6h Kd 7d Jd Ad As 8c Kc",
  order: "a2f55848afd8bff1e799126de75c56516d7bcaa95e6b68cd1c202fa8b41d6ad3",
  again: "4c 5c Qd Qd Kh As 2d 6h 9h As", // cards 385 to 394, after reshuffling all cards
};
export type VectorLine = { name: keyof typeof VECTOR; made: string; holds: boolean };

/** Calculate each value of the vector. */
export async function checkVector(): Promise<VectorLine[]> {
  const seed = from(0);
  const cuts = [
    { seat: 2, value: from(0x20) },
    { seat: 5, value: from(0x40) },
  ];
  const commitment = await commitmentOf(CONTEXT, seed);
  const mix = await mixOf(commitment, cuts);
  const first = await Words.of(CONTEXT, seed, mix);
  const words = [await first.next(), await first.next(), await first.next(), await first.next()];
  const shuffling = await Words.of(CONTEXT, seed, mix);
  const cards = unshuffled(CONTEXT);
  await shuffling.shuffle(cards);
  const all = cards.map(code).join(" ");
  const again = [...cards];
  await shuffling.shuffle(again);
  const seat = async (index: 0 | 1): Promise<string> => {
    const cut = cuts[index] as { seat: number; value: Bytes };
    return toHex(await cutCommitment(commitment, cut.seat, cut.value));
  };
  const made: Record<keyof typeof VECTOR, string> = {
    commitment: toHex(commitment),
    seat2: await seat(0),
    seat5: await seat(1),
    mix: toHex(mix),
    words: words.map((word) => word.toString(16).padStart(8, "0")).join(" "),
    cards: all.slice(0, VECTOR.cards.length),
    order: toHex(await sha256(text(all))),
    again: again.slice(0, 10).map(code).join(" "),
  };
  return (Object.keys(VECTOR) as (keyof typeof VECTOR)[]).map((name) => ({ name, made: made[name], holds: made[name] === VECTOR[name] }));
}
