import type { HistoricFile } from "../../document/snapshot.ts";
import { Fault, type History, type Run } from "../../ports.ts";
import { isCommitName, type Repository } from "./repository.ts";
import { readBlobs } from "./revision.ts";

/** The first-parent history of `revision` in `repository`. A folder that is not a Git repository has none. */
export function gitHistory(repository: Repository, revision = "HEAD"): History {
  return {
    contentsOf: async (paths, isEnough, run) => {
      if (paths.length === 0) return [];
      if (!isCommitName(revision) && (await repository.head(run)) === undefined) return [];
      const changes = await listChanges(repository, revision, paths, run);
      const contents = await readBlobs(
        repository,
        changes.map(({ id }) => id),
        run,
      );
      const files = changes.map(({ path, revision, id }): HistoricFile => ({
        path,
        revision,
        bytes: contents.get(id) ?? Buffer.of(),
      }));
      if (!isEnough(files)) await refuseShallow(repository, run);
      return files;
    },
  };
}

interface BlobChange {
  readonly path: string;
  readonly revision: string;
  readonly id: string;
}

async function listChanges(
  repository: Repository,
  head: string,
  paths: readonly string[],
  run: Run,
): Promise<readonly BlobChange[]> {
  const flags = [
    "--first-parent",
    "--diff-merges=first-parent",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--relative",
    "--format=%H",
  ];
  const { stdout } = await repository.git(["log", ...flags, "--end-of-options", head, "--", ...paths], run);
  let revision = "";
  return stdout
    .toString()
    .split("\n")
    .flatMap((line): BlobChange[] => {
      const change = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [AMT]\t(.+)$/.exec(line);
      if (change === null) {
        if (isCommitName(line)) revision = line;
        return [];
      }
      const [, id = "", path = ""] = change;
      return [{ path, revision, id }];
    });
}

async function refuseShallow(repository: Repository, run: Run): Promise<void> {
  if (!(await repository.isShallow(run))) return;
  const { directory } = repository;
  const depth = await repository.text(["rev-list", "--first-parent", "--count", "HEAD"], run);
  throw new Fault(
    "HISTORY_TOO_SHALLOW",
    `${directory} is a shallow clone of ${depth} commits, and what is asked for is older. It must be deeper than ${depth}: ` +
      `git fetch --deepen=${String(Number(depth) * 10)}, or git fetch --unshallow (in GitHub Actions: fetch-depth: 0).`,
  );
}
