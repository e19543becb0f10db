import { vi } from "vitest";
import { FAST, manifestPath, manifestText, templateText } from "../../src/check/example.ts";
import { freshCache } from "./caches.ts";
import type { Ended } from "./program.ts";
import { kymaIn } from "./promoting.ts";
import { openTrain, type Train } from "./train.ts";

/** A catalogue on GitHub in which regular may get 1.1.0. */
export interface ReadyTrain {
  readonly train: Train;
  /** Runs a command with `token`. */
  readonly kyma: (token: string, ...args: readonly string[]) => Promise<Ended>;
}

/** Opens one; the environment is stubbed, so the test takes that back. */
export async function readyTrain(options: Parameters<typeof openTrain>[0] = {}): Promise<ReadyTrain> {
  const train = await openTrain(options);
  train.merge({ [FAST]: templateText("fast", "1.1.0"), [manifestPath("1.1.0")]: manifestText("1.1.0") }, 9);
  vi.stubEnv("GITHUB_API_URL", train.double.url);
  vi.stubEnv("XDG_CACHE_HOME", freshCache());
  const kyma = (token: string, ...args: readonly string[]): Promise<Ended> => {
    vi.stubEnv("GITHUB_TOKEN", token);
    return kymaIn(train.clone.path, args);
  };
  return { train, kyma };
}
