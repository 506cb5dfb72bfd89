import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The build goes into the Python package, which serves it; see server/routers/pages.py.
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  base: "/web/",
  build: {
    outDir: "../src/ventiuna/server/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the Content-Security-Policy allows only our own files
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    license: { fileName: "licenses.md" }, // licenses of bundled libraries
  },
  server: { fs: { allow: [".."] } }, // tests read golden data from the Python side
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  // allow for a busy machine
  test: {
    environment: "jsdom",
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/setup.ts"],
    globals: true,
    testTimeout: 120_000,
    // One page for all files: setting one up takes longer than most tests.
    isolate: false,
    pool: "threads",
    maxWorkers: 1,
  },
}));
