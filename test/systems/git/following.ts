import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openUpstream, type UpstreamClone, type UpstreamOptions } from "../../../src/systems/git/upstream.ts";
import { type Folder, emptyFolder, emptyRepository } from "../repository.ts";

/** A repository that is followed, and where its clone lies. */
export interface Followed {
  readonly remote: Folder;
  readonly cache: Folder;
  /** Opens the clone, as a process does. */
  readonly open: (options?: Partial<UpstreamOptions>, variables?: Readonly<Record<string, string>>) => UpstreamClone;
  /** The folder of the clone. */
  readonly clone: () => string;
}

/** A repository with one commit, and nothing of it in the cache. */
export function followed(): Followed {
  const [remote, cache] = [emptyRepository(), emptyFolder()];
  remote.write({ "kyma-modules.yaml": "1", "sub/kyma-modules.yaml": "2", "sub/modules/a": "3" });
  remote.commit("one");
  return {
    ...{ remote, cache },
    open: (options, variables) =>
      openUpstream(
        { url: remote.path, branch: "main", cache: cache.path, ...options },
        { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", ...variables },
      ),
    clone: () => join(cache.path, readdirSync(cache.path).find((name) => name.endsWith(".git")) ?? "none"),
  };
}
