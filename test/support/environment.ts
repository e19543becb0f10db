import { afterAll, vi } from "vitest";

// The next file may share the process.
afterAll(() => {
  vi.unstubAllEnvs();
});
