// The pages by the first part of their address; each is fetched when it is first asked for.
import type { Component } from "svelte";

export interface Page {
  load: () => Promise<{ default: Component }>;
  theme: "dark" | "light"; // where the reader has chosen none
}

export const pages: Record<string, Page> = {
  lobby: { load: () => import("./Lobby.svelte"), theme: "dark" },
  table: { load: () => import("./Table.svelte"), theme: "dark" },
  session: { load: () => import("./Session.svelte"), theme: "dark" },
  drills: { load: () => import("./Drills.svelte"), theme: "dark" },
  school: { load: () => import("./School.svelte"), theme: "dark" },
  console: { load: () => import("./Console.svelte"), theme: "dark" },
  study: { load: () => import("./Study.svelte"), theme: "light" },
  rules: { load: () => import("./Rules.svelte"), theme: "light" },
  history: { load: () => import("./History.svelte"), theme: "dark" },
  house: { load: () => import("./House.svelte"), theme: "dark" },
};
