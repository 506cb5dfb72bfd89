// Text in the browser's preferred language. Each language is one file; `en.ts` is English.
import { en } from "./en";

export type Words = typeof en;

export const languages: Record<string, Words> = { en };
const wanted = navigator.languages.map((language) => language.slice(0, 2)).find((language) => language in languages) ?? "en";

document.documentElement.lang = wanted;
export const words: Words = languages[wanted] ?? en;
