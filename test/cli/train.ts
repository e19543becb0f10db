import { join } from "node:path";
import { expect } from "vitest";
import { REGULAR_POLICY, SAMPLE, SETTINGS, SETTINGS_TEXT, templateText } from "../../src/check/example.ts";
import { startDouble, type Double, type DoubleOptions } from "../systems/github/double.ts";
import { bareRepository, configure, emptyFolder, emptyRepository, type Folder } from "../systems/repository.ts";
import { freshCache } from "./caches.ts";
import { run, type Ended } from "./program.ts";
import { POLICY } from "./promoting.ts";

const DAY_MS = 86_400_000;
/** The repository of the double. */
export const REPOSITORY = "octo/train";

/** A catalogue on GitHub: a bare remote, the double in front of it, and the clone of a person. */
export interface Train {
  readonly double: Double;
  readonly clone: Folder;
  /** The remote. */
  readonly bare: Folder;
  /** Merges a pull request with these files, `daysAgo`; gives its number. The clone pulls it. */
  readonly merge: (files: Readonly<Record<string, string>>, daysAgo: number) => number;
  /** Merges a pull request that is open, `daysAgo`; the clone pulls it. */
  readonly mergePull: (number: number, daysAgo?: number) => void;
  /** Starts the program on the clone; runs remember nothing of each other but verdicts, unless `cache` says where. */
  readonly kyma: (args: readonly string[], cache?: string) => Promise<Ended>;
  /** What `promote ARGS` prints, which has to end with 0. */
  readonly promote: (...args: readonly string[]) => Promise<string>;
  /** `number state title` of each pull request for a promotion. */
  readonly promotions: () => readonly string[];
}

/** A catalogue that serves `sample` 1.0.0 everywhere, since 100 days. */
export async function openTrain(options: Partial<DoubleOptions> = {}): Promise<Train> {
  const bare = bareRepository();
  const clone = emptyRepository();
  configure(clone, { user: "Person", origin: bare });
  clone.write({
    ...SAMPLE,
    [SETTINGS]: `${SETTINGS_TEXT}forge: { kind: github, repository: ${REPOSITORY} }\n`,
    [REGULAR_POLICY]: POLICY,
    "channels/fast/sample.yaml": templateText("fast", "1.0.0"),
  });
  clone.commit("Begin", Date.now() - 100 * DAY_MS);
  clone.git("push", "--quiet", "--set-upstream", "origin", "main");
  const double = await startDouble({
    repository: REPOSITORY,
    bare: bare.path,
    tokens: { ghp_persons: { login: "release-train" } },
    ...options,
  });
  return trainOf(double, clone, bare);
}

function trainOf(double: Double, clone: Folder, bare: Folder): Train {
  let merges = 0;
  const at = (daysAgo: number, work: () => void): void => {
    double.setNow(Date.now() - daysAgo * DAY_MS);
    work();
    double.setNow(undefined);
    clone.git("pull", "--quiet", "--ff-only", "origin", "main");
  };
  const environment = (cache = freshCache()): Readonly<Record<string, string>> => ({
    GITHUB_API_URL: double.url,
    GITHUB_TOKEN: "ghp_persons",
    GITHUB_ACTOR: "octocat",
    XDG_CACHE_HOME: cache,
  });
  return {
    double,
    clone,
    bare,
    kyma: (args, cache) => run([...args, "--repo", clone.path], environment(cache)),
    merge: (files, daysAgo) => {
      merges += 1;
      const branch = `change-${String(merges)}`;
      clone.git("switch", "--quiet", "--create", branch);
      clone.write(files);
      clone.commit(`Change ${String(merges)}`);
      clone.git("push", "--quiet", "origin", branch);
      clone.git("switch", "--quiet", "main");
      const { number } = double.open(branch);
      at(daysAgo, () => double.merge(number));
      return number;
    },
    mergePull: (number, daysAgo = 0) => {
      at(daysAgo, () => double.merge(number));
    },
    promote: async (...args) => {
      const { code, stdout, stderr } = await run(["promote", ...args, "--repo", clone.path], environment());
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    },
    promotions: () =>
      double
        .pulls()
        .filter(({ head }) => head.startsWith("promote/"))
        .map(({ number, state, title }) => `${String(number)} ${state} ${title}`),
  };
}

/** A file outside of the repository. */
export function looseFile(name: string, text: string): string {
  const folder = emptyFolder();
  folder.write({ [name]: text });
  return join(folder.path, name);
}
