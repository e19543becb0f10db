import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfigFnObject } from "vitest/config";
import { pureFiles } from "./test/house/pureFiles.ts";

/** Ends what hangs, and judges no speed: a machine may do eight other things at once. */
const PATIENCE_MS = 600_000;
const EVERY_BRANCH = { branches: 100 };

/** `--mode long` runs test/long; without it, everything else. */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  test: {
    include: [mode === "long" ? "test/long/**/*.test.ts" : "test/**/*.test.ts"],
    exclude: ["node_modules/**", "**/fixtures/**", ...(mode === "long" ? [] : ["test/long/**"])],
    globalSetup: ["test/support/globalSetup.ts"],
    // many tests wait for a process or a server: a core that is left free for the main thread would stand idle
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    allowOnly: false,
    coverage: {
      provider: "v8",
      include: [...pureFiles],
      reporter: [["text", { skipFull: true }]],
      thresholds: Object.fromEntries(pureFiles.map((glob) => [glob, EVERY_BRANCH])),
    },
  },
}));

export default config;
