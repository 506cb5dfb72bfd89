// All text people read is in i18n/; components and modules contain none of their own.
import { parse } from "svelte/compiler";
import { expect, it } from "vitest";
import { languages } from "../src/i18n";

const components = import.meta.glob<string>("../src/**/*.svelte", { query: "?raw", import: "default", eager: true });
const modules = import.meta.glob<string>(["../src/**/*.ts", "!../src/i18n/**"], { query: "?raw", import: "default", eager: true });
const NAMED = /^(aria-label|aria-valuetext|aria-description|title|alt|placeholder|label)$/;
const NOTATION = /=/; // notation for rules and wagers, such as wager=1
const WORD = /[A-Za-z]{2,}/;
const SENTENCE = /(["'`])[A-Z][a-z']+(?: [a-z']+)+[.!?…]\1/;

/** Text in the markup, or in an attribute that is read aloud. */
function ownWords(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const part of node) ownWords(part, found);
  else if (node && typeof node === "object") {
    const { type, name = "", data = "", value } = node as { type?: string; name?: string; data?: string; value?: unknown };
    if (type === "Attribute") {
      if (NAMED.test(name)) ownWords(value, found);
    } else if (type === "Text") {
      if (WORD.test(data) && !NOTATION.test(data)) found.push(data.trim());
    } else if (type !== "StyleDirective") for (const part of Object.values(node)) ownWords(part, found);
  }
  return found;
}

it("has the same files for every language", () => {
  const files = Object.keys(import.meta.glob("../src/i18n/**/*.ts")).map((path) => path.replace("../src/i18n/", ""));
  const topics = files.filter((file) => !file.includes("/") && file !== "index.ts" && !Object.hasOwn(languages, file.replace(".ts", "")));
  expect(topics.length).toBeGreaterThan(0);
  for (const language of Object.keys(languages)) {
    expect(files).toContain(`${language}.ts`);
    for (const topic of topics) expect(files).toContain(`${language}/${topic}`);
  }
});

it("is the only place with text in markup", () => {
  const found = Object.entries(components).flatMap(([file, source]) =>
    ownWords(parse(source, { modern: true }).fragment).map((text) => `${file}: ${text}`),
  );
  expect(Object.keys(components).length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

it("is the only place with sentences in code", () => {
  const found = Object.entries({ ...modules, ...components }).flatMap(([file, source]) =>
    source
      .split("\n")
      .filter((line) => !/^\s*(\/\/|\*|<!--)/.test(line) && SENTENCE.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
