import { isOfCatalogue } from "../catalogue/paths.ts";
import { findingKey, type Finding } from "../document/finding.ts";
import type { Run, Source } from "../ports.ts";
import { check, type CheckRequest } from "./check.ts";
import type { People } from "./facts.ts";
import type { OpenCheckWorld } from "./gather/gather.ts";
import { overlay, remembered } from "../reading/overlay.ts";

/** Judges the changes that this program makes itself. */
export interface Gate {
  /**
   * The errors of a change (path to text), assuming that its pull request gets all needed approvals: errors in its own
   * files, and errors that it causes elsewhere. Errors elsewhere that exist without it are ignored, so that they do not
   * block a fix.
   */
  judge(files: ReadonlyMap<string, string>, run: Run): Promise<readonly Finding[]>;
  /** Closes the world that it opened. Can be called again. */
  close(): Promise<void>;
}

/**
 * Opens a gate for changes of a commit.
 *
 * Takes:  `openWorld`, called once and only if something is judged; `releaseManagers`, whose approval is assumed, since
 *         hot-fixes and lifted holds count only with it.
 */
export function openGate(
  base: Source,
  releaseManagers: readonly string[],
  openWorld: (run: Run) => Promise<OpenCheckWorld>,
): Gate {
  let world: Promise<OpenCheckWorld> | undefined;
  const source = remembered(base);
  return {
    judge: async (files, run) => {
      world ??= openWorld(run);
      const paths = [...files.keys()].filter(isOfCatalogue);
      const request = { base: source, paths, people: approvedBy(releaseManagers) };
      const findings = await checkErrors({ ...request, head: overlay(source, files) }, await world, run);
      const isOwn = ({ file }: Finding): boolean => files.has(file);
      if (findings.every(isOwn)) return findings;
      const before = new Set((await checkErrors({ ...request, head: source }, await world, run)).map(findingKey));
      return findings.filter((finding) => isOwn(finding) || !before.has(findingKey(finding)));
    },
    close: async () => (await world)?.close(),
  };
}

async function checkErrors(request: CheckRequest, world: OpenCheckWorld, run: Run): Promise<readonly Finding[]> {
  const { result } = await check(request, world, run);
  return result.findings.filter(({ severity }) => severity === "error");
}

/** Approvals by one member of each team, and by each single person. */
function approvedBy(owners: readonly string[]): People {
  const teams = owners.filter((owner) => owner.startsWith("@"));
  const member = "member";
  const persons = owners.filter((owner) => !owner.startsWith("@"));
  return { author: undefined, approvedBy: [member, ...persons], teams: new Map(teams.map((team) => [team, [member]])) };
}
