import { placeOf } from "../../catalogue/paths.ts";
import type { Finding } from "../../document/finding.ts";
import { check, type CheckRequest } from "../../check/check.ts";
import type { People } from "../../check/facts.ts";
import { overlay, remembered } from "../../check/overlay.ts";
import type { Run } from "../../ports.ts";
import type { CheckPorts } from "../compose/compose.ts";
import type { OpenWorld } from "../compose/world.ts";

/** The gate, for changes that this program makes itself. */
export interface OwnGate {
  /**
   * The errors that a change (path to text) would meet even with the approvals that its pull request is to bring: those
   * in its files, and those that it makes elsewhere. What is wrong elsewhere without it keeps no repair waiting.
   */
  readonly judge: (files: ReadonlyMap<string, string>, run: Run) => Promise<readonly Finding[]>;
  /** Ends what runs behind it. May be called again. */
  close(): Promise<void>;
}

/**
 * A gate for changes of the commit `base`. It asks no registry: the checks of the pull request do.
 *
 * Takes:  `releaseManagers`, whose approval is taken for granted: hot-fixes and lifted holds count with it only.
 */
export function gateOf(base: string, releaseManagers: readonly string[], ports: CheckPorts): OwnGate {
  let world: Promise<OpenWorld> | undefined;
  const source = remembered(ports.openRevision(base));
  return {
    judge: async (files, run) => {
      world ??= ports.openWorld({ offline: true, server: undefined }, run);
      const paths = [...files.keys()].filter((path) => placeOf(path) !== undefined);
      const request = { base: source, paths, people: approvedBy(releaseManagers) };
      const findings = await errorsOf({ ...request, head: overlay(source, files) }, await world, run);
      const isOwn = ({ file }: Finding): boolean => files.has(file);
      if (findings.every(isOwn)) return findings;
      const before = new Set((await errorsOf({ ...request, head: source }, await world, run)).map(identity));
      return findings.filter((finding) => isOwn(finding) || !before.has(identity(finding)));
    },
    close: async () => (await world)?.close(),
  };
}

async function errorsOf(request: CheckRequest, world: OpenWorld, run: Run): Promise<readonly Finding[]> {
  const { result } = await check(request, world, run);
  return result.findings.filter(({ severity }) => severity === "error");
}

/** Without its place: a change may move what was wrong before. */
function identity({ rule, file, message }: Finding): string {
  return JSON.stringify([rule, file, message]);
}

/** One member of every team, and every single person. */
function approvedBy(owners: readonly string[]): People {
  const teams = owners.filter((owner) => owner.startsWith("@"));
  const member = "member";
  const persons = owners.filter((owner) => !owner.startsWith("@"));
  return { author: undefined, approvedBy: [member, ...persons], teams: new Map(teams.map((team) => [team, [member]])) };
}
