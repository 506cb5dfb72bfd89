// Turn R-, D- and O-numbers in text into links.

import type { RuleReference } from "../wire";

export interface Part {
  text: string;
  number: string; // "": plain text
}

export function partsOf(text: string): Part[] {
  return text
    .split(/\b([RDO]-[0-9]{2,3})\b/)
    .map((part, place) => ({ text: part, number: place % 2 ? part : "" }))
    .filter((part) => part.text);
}

export const isNumber = (text: string): boolean => /^[RDO]-[0-9]{2,3}$/i.test(text);

/** Numbers whose name, title or text contains all words; without words, all numbers. */
export function searched(numbers: RuleReference[], word: string): RuleReference[] {
  const wanted = word.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return numbers.filter((one) => {
    const text = `${one.number} ${one.section} ${one.title} ${one.text} ${one.built}`.toLowerCase();
    return wanted.every((part) => text.includes(part));
  });
}
