import { afterEach, vi } from "vitest";

// The next test, and the next file, may share the process.
afterEach(() => {
  vi.unstubAllEnvs();
});
