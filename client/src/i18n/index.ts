// Text in the browser's preferred language. `en.ts` is the text of every page and of the table; `en/` has the rest, so
// that a page loads only its own.
import { en } from "./en";

export const languages = { en };
export type Language = keyof typeof languages;
export type Words = typeof en;

const wanted = navigator.languages.map((language) => language.slice(0, 2)).find((language) => language in languages) ?? "en";
document.documentElement.lang = wanted;

/** The text in the browser's preferred language. */
export function inLanguage<Text>(texts: Record<Language, Text>): Text {
  return texts[wanted as Language];
}

export const words: Words = inLanguage(languages);
