import { NO_HISTORY } from "../support/noHistory.ts";
import { compile } from "../../src/catalogue/compile.ts";
import type { Evidence } from "../../src/catalogue/evidence/evidence.ts";
import type { RecordedChange, RecordedCommit } from "../../src/catalogue/history/history.ts";
import type { DashboardState, LandscapeSight } from "../../src/dashboard/state.ts";
import type { Users } from "../../src/fleet/users.ts";
import type { SnapshotFile } from "../../src/document/snapshot.ts";
import type { Source } from "../../src/ports.ts";
import type { SimulationWorld } from "../../src/promote/simulate/prepare.ts";
import { gatherPromotion } from "../../src/promote/gather.ts";
import { promotionStatus } from "../../src/promote/status.ts";
import { landscapeStatus, type StatusInput } from "../../src/sync/landscapeStatus.ts";
import { NO_CONTROLS } from "../../src/sync/plan/controls.ts";
import type { SetClaim } from "../../src/sync/plan/input.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { Records } from "../../src/sync/plan/records.ts";
import { fileOf, snapshot } from "../catalogue/repository.ts";
import { quietRun } from "../support/quietRun.ts";
import { CLAIM, inputOf, liveOf } from "../sync/planning.ts";

/** One commit of a story. */
export interface Told {
  /** Unix milliseconds. */
  readonly atMs: number;
  /** Path to text; `null` removes the file. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly subject?: string;
  readonly author?: string;
  readonly body?: string;
}

/** The ports of promotion after these commits. `named` are files that people name. */
export function worldAfter(
  commits: readonly Told[],
  nowMs: number,
  named: Readonly<Record<string, SnapshotFile>> = {},
): SimulationWorld {
  const files = commits.reduce<Record<string, string | null>>((all, told) => ({ ...all, ...told.files }), {});
  const kept = Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  const recorded = { commits: commits.map(commitOf), changes: commits.flatMap(changesOf), cut: undefined };
  const refuse = (): Promise<never> => Promise.reject(new Error("unexpected call"));
  const sourceAt = (revision: string | undefined): Source => ({
    snapshot: () => Promise.resolve({ revision, files: snapshot(Object.fromEntries(kept)) }),
  });
  return {
    clock: { nowMs: () => nowMs, pause: () => Promise.resolve() },
    history: { ...NO_HISTORY, read: () => Promise.resolve(recorded) },
    head: sourceAt(undefined),
    source: sourceAt,
    resolve: () => Promise.resolve(nameOf(commits.length - 1)),
    openForge: () => Promise.resolve(undefined),
    namedFiles: { read: refuse, readOne: (name) => Promise.resolve({ name, content: bytesOf(named[name]) }) },
    uncommitted: () => Promise.resolve([]),
    evidenceTips: () => Promise.resolve([]),
    login: refuse,
  };
}

function bytesOf(file: SnapshotFile | undefined): Uint8Array {
  if (file?.kind !== "bytes") throw new Error("file not found");
  return file.bytes;
}

/** The data of a page at `nowMs`, after these commits, without control planes. */
export async function stateAfter(
  commits: readonly Told[],
  nowMs: number,
  more: Partial<DashboardState> = {},
): Promise<DashboardState> {
  const evidence: readonly Evidence[] = more.evidence ?? [];
  const question = { revision: "HEAD", atMs: undefined, evidence };
  const gathered = await gatherPromotion(question, worldAfter(commits, nowMs), quietRun());
  if (gathered.kind === "unreadable") throw new Error(JSON.stringify(gathered.findings));
  return {
    ...{ nowMs, revision: gathered.revision, repositoryUrl: "https://github.com/org/name", gathered, evidence },
    ...{
      branches: new Map(),
      manifests: new Map(),
      statuses: promotionStatus(gathered),
      landscapes: [],
      unreadable: undefined,
    },
    isRehearsal: false,
    ...more,
  };
}

const nameOf = (index: number): string => String(index).padStart(40, "0");

function commitOf({ atMs, subject = "Change", author = "octocat", body = "" }: Told, index: number): RecordedCommit {
  const parents = index === 0 ? [] : [nameOf(index - 1)];
  return { commit: nameOf(index), parents, committerMs: atMs, author, subject, body };
}

function changesOf({ files }: Told, index: number): readonly RecordedChange[] {
  return Object.entries(files).map(([path, text]) => {
    return { index, path, content: text === null ? undefined : fileOf(text) };
  });
}

/** The observation of a landscape. */
interface Seen {
  readonly users: Users;
  readonly records: Records;
  readonly times?: StatusInput["times"];
  /** The state whose versions it serves; by default those of the repository. */
  readonly serves?: DashboardState;
  /** How the commit relates to the one that the landscape serves. */
  readonly ancestry?: SetClaim["ancestry"];
}

/** A landscape with these records and users. */
export function sightOf(
  state: DashboardState,
  name: string,
  { users, records, times = new Map(), serves = state, ancestry = CLAIM.ancestry }: Seen,
): LandscapeSight {
  const { nowMs } = state;
  const { catalogue } = state.gathered;
  const landscape = catalogue.settings.landscapes.find((one) => one.name === name);
  if (landscape === undefined) throw new Error(`unknown landscape ${name}`);
  const { namespace } = landscape;
  const target = { landscape: landscape.name, namespace, generation: "version-templates" } as const;
  const desired = compile(catalogue, target);
  const live = liveOf(compile(serves.gathered.catalogue, target));
  const planned = inputOf(desired, { ...live, records }, { users, nowMs, claim: { ...CLAIM, ancestry } });
  const prepared = {
    plan: plan(planned),
    input: planned,
    stored: { records, owner: undefined, objects: new Map() },
    controls: NO_CONTROLS,
    supersededBy: undefined,
  };
  const input: StatusInput = {
    catalogue,
    landscape,
    prepared,
    users,
    nowMs,
    lease: undefined,
    controller: undefined,
    times,
  };
  return { name, input, status: landscapeStatus(input), seenMs: nowMs, blind: undefined };
}
