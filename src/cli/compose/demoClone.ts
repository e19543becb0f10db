import { resolve } from "node:path";
import { EVIDENCE_BRANCH } from "../../catalogue/evidence/branch.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import type { Clock, KeptBranch, NamedFile, NamedFiles, Run, Snapshot } from "../../ports.ts";
import type { PublishWorld } from "../../promote/publish.ts";
import { gitHistory } from "../../systems/git/history.ts";
import { openKeptBranch } from "../../systems/git/keptBranch.ts";
import { revisionSource } from "../../systems/git/revision.ts";
import { openPromotion, type HistoryPorts } from "./promotion.ts";
import { openRepository } from "./systems.ts";

/** A bare clone that a demo commits to instead of the user's repository. */
export interface DemoClone {
  readonly folder: string;
  /** The current commit of its branch. */
  tip(run: Run): Promise<string | undefined>;
  /** The catalogue at a commit. */
  read(commit: string, run: Run): Promise<Snapshot>;
  /** Commits files on top of the current commit. */
  commit(files: ReadonlyMap<string, string>, message: string, run: Run): Promise<void>;
  /** The ports to publish the evidence in the files `published`. */
  publishing(published: readonly NamedFile[], run: Run): Promise<PublishWorld>;
  /** The ports to promote; `observed` are its evidence files. */
  promotion(observed: readonly NamedFile[]): HistoryPorts;
}

const BRANCH = "main";
const WHO = { name: "kyma-modules demo", email: "demo@localhost" };

/**
 * Makes a bare clone of the HEAD of `repository` in a new folder. The clone has no commits if `repository` is shallow,
 * or if its catalogue is not at the top. Commits get the time of `clock`.
 */
export async function openDemoClone(repository: string, folder: string, clock: Clock, run: Run): Promise<DemoClone> {
  const origin = openRepository(resolve(repository));
  await origin.at("/").git(["init", "--quiet", "--bare", `--initial-branch=${BRANCH}`, folder], run);
  const clone = openRepository(folder);
  for (const [key, value] of Object.entries(WHO)) await clone.git(["config", `user.${key}`, value], run);
  const isWhole =
    (await origin.head(run)) !== undefined && !(await origin.isShallow(run)) && (await origin.prefix(run)) === "";
  if (isWhole)
    await clone.git(["fetch", "--quiet", "--no-tags", resolve(repository), `HEAD:refs/heads/${BRANCH}`], run);
  const dated = (): Readonly<Record<string, string>> => {
    const date = `${String(Math.floor(clock.nowMs() / 1000))} +0000`;
    return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  };
  const branch = (name: string, of: Run): Promise<KeptBranch> =>
    openKeptBranch(openRepository(folder).with(dated()), { branch: name, remote: "." }, of);
  const source = (commit: string) => revisionSource(openRepository(folder), commit);
  return {
    folder,
    tip: async (of) => (await branch(BRANCH, of)).fetch(of),
    read: (commit, of) => source(commit).snapshot(isOfCatalogue, of),
    commit: async (files, message, of) => {
      const kept = await branch(BRANCH, of);
      while ((await kept.append(await kept.fetch(of), { files, message }, of)) === undefined)
        of.signal.throwIfAborted();
    },
    publishing: async (published, of) => ({
      ...{ clock, source, chance: () => Math.random(), namedFiles: filesInMemory(published) },
      history: gitHistory(openRepository(folder)),
      branch: await branch(EVIDENCE_BRANCH, of),
    }),
    promotion: (observed) => {
      const options = { offline: false, writes: true, direct: true };
      const ports = openPromotion(folder, options, clock, dated());
      return { ...ports, world: { ...ports.world, namedFiles: filesInMemory(observed) } };
    },
  };
}

function filesInMemory(files: readonly NamedFile[]): NamedFiles {
  const named = (paths: readonly string[]): readonly NamedFile[] => files.filter(({ name }) => paths.includes(name));
  return {
    read: (paths) => Promise.resolve(named(paths)),
    readOne: (path) => {
      const [file] = named([path]);
      return file === undefined ? Promise.reject(new Error(`nothing is named ${path}`)) : Promise.resolve(file);
    },
  };
}
