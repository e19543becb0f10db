import type { History } from "../../src/ports.ts";

/** The history of a repository that has none. */
export const NO_HISTORY: History = {
  read: () => Promise.resolve({ commits: [], changes: [], cut: undefined }),
  brought: () => Promise.resolve(new Map()),
  contents: () => Promise.resolve([]),
};
