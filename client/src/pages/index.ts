// The pages by the first part of their address, each loaded on demand.
import type { Component } from "svelte";

export interface Page {
  load: () => Promise<{ default: Component }>;
}

export const pages: Record<string, Page> = {
  lobby: { load: () => import("./Lobby.svelte") },
  table: { load: () => import("./Table.svelte") },
  session: { load: () => import("./Session.svelte") },
  drills: { load: () => import("./Drills.svelte") },
  school: { load: () => import("./School.svelte") },
  console: { load: () => import("./Console.svelte") },
  study: { load: () => import("./Study.svelte") },
  rules: { load: () => import("./Rules.svelte") },
  history: { load: () => import("./History.svelte") },
  house: { load: () => import("./House.svelte") },
};
