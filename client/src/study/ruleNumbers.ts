// Turn R-, D- and O-numbers in text into links.

export interface NumberData {
  number: string;
  section: string;
  title: string;
  text: string;
  built: string;
  documents: { id: string; title: string }[];
  clauses: { document: string; clause: string; quote: string }[];
  mentions: string[];
}

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
export function searched(numbers: NumberData[], word: string): NumberData[] {
  const wanted = word.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return numbers.filter((one) => {
    const text = `${one.number} ${one.section} ${one.title} ${one.text} ${one.built}`.toLowerCase();
    return wanted.every((part) => text.includes(part));
  });
}
