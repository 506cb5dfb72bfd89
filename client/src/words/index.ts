// All text of the client. Another language is another folder like `en/`, and one line here: whatever is
// missing or too much in it is told by the type check.
import { en } from "./en";

export type Words = typeof en;

const languages: Record<string, Words> = { en };
const wanted = navigator.languages.map((language) => language.slice(0, 2)).find((language) => language in languages) ?? "en";

document.documentElement.lang = wanted;
export const words: Words = languages[wanted] ?? en;
