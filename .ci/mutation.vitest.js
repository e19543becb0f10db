// The tests that a mutation of a pure file may fail: those that need no server. For `.ci/mutation.json`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/@(document|catalogue|kubernetes|check|promote|fleet|rehearsal)/**/*.test.ts",
      "test/sync/plan*.test.ts",
    ],
    exclude: ["node_modules/**", "**/fixtures/**", "test/**/*.contract.test.ts"],
    setupFiles: ["test/support/environment.ts"],
  },
});
