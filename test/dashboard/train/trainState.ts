import { parseChannelName, parseModuleName } from "../../../src/catalogue/names.ts";
import { parseVersion } from "../../../src/catalogue/version.ts";
import type { DashboardState, LandscapeSight } from "../../../src/dashboard/state.ts";
import type { Gathered } from "../../../src/promote/gather.ts";
import type { Status } from "../../../src/promote/status.ts";
import type { Assessment, Reason, Verdict } from "../../../src/promote/verdict/verdict.ts";
import type { EntryStatus, LandscapeStatus } from "../../../src/sync/landscapeStatus.ts";
import type { WaveRecord } from "../../../src/sync/plan/records.ts";
import { catalogueOf } from "../../catalogue/repository.ts";
import { clustersOf } from "../landscapeState.ts";

/** The current time of these tests. */
export const NOW: number = Date.parse("2026-11-24T12:12:00Z");
/** An hour in milliseconds. */
export const HOUR = 3_600_000;

const LANDSCAPES = ["dev", "stage", "prod"];

const CATALOGUE = catalogueOf({
  "kyma-modules.yaml": JSON.stringify({
    format: 1,
    landscapes: LANDSCAPES.map((name, index) => ({
      name,
      controlPlane: { context: `kcp-${name}` },
      ...(index === 0 ? {} : { after: { landscape: LANDSCAPES[index - 1], soak: "1h", notWorseBy: "1%" } }),
    })),
  }),
  "channels/experimental.yaml": JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"] }),
  "channels/fast.yaml": JSON.stringify({ format: 1, versions: "release", landscapes: LANDSCAPES }),
  "channels/regular.yaml": JSON.stringify({
    ...{ format: 1, follows: "fast", landscapes: LANDSCAPES },
    promotion: { soak: { patch: "1d", minor: "7d", major: "30d", first: "7d" } },
  }),
  "channels/mandatory.yaml": JSON.stringify({ format: 1, kind: "mandatory", landscapes: LANDSCAPES }),
});

/** A name or a version of these tests. */
function sure<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the test names something that cannot be");
  return value;
}

/** The status of a module in a channel, with nothing to do. */
export function statusIn(
  channel: string,
  module: string,
  version: string | undefined,
  more: Partial<Status> = {},
): Status {
  return {
    channel: sure(parseChannelName(channel)),
    module: sure(parseModuleName(module)),
    follows: channel === "regular" ? parseChannelName("fast") : undefined,
    version: version === undefined ? undefined : sure(parseVersion(version)),
    ...{ since: undefined, verdict: undefined, holds: [], proposal: undefined, interventions: [], debts: [] },
    ...{ aheadOf: undefined, hotfix: undefined, isWithheld: false },
    ...more,
  };
}

/** A verdict on a module in regular. */
export function verdictOn(
  module: string,
  kind: Verdict["kind"],
  version: string,
  more: { readonly reasons?: readonly Reason[]; readonly earliest?: Assessment["earliest"] } = {},
): Pick<Status, "verdict"> {
  const chosen: Assessment | undefined =
    kind === "nothing"
      ? undefined
      : {
          ...{ kind, version: sure(parseVersion(version)), level: "minor", isHotfix: false },
          ...{ reasons: more.reasons ?? [], earliest: more.earliest },
        };
  return {
    verdict: {
      ...{ kind, chosen, candidates: chosen === undefined ? [] : [chosen] },
      ...{ module: sure(parseModuleName(module)), current: parseVersion("1.0.0") },
      channel: sure(parseChannelName("regular")),
      follows: sure(parseChannelName("fast")),
    },
  };
}

/** A reason with a place in a file. */
export function reason(more: Partial<Reason> & Pick<Reason, "topic" | "outcome">): Reason {
  return { message: `about ${more.topic}.`, source: { kind: "file", file: "channels/regular.yaml", line: 8 }, ...more };
}

/** An entry of a landscape, with nothing to do. */
export function entryIn(
  channel: string,
  module: string,
  version: string | undefined,
  more: Partial<EntryStatus> = {},
): EntryStatus {
  const isMandatory = channel === "mandatory";
  return {
    ...{ channel, module, mandatory: isMandatory, version, sinceMs: undefined, wanted: undefined, users: undefined },
    ...{ isWantedKnown: true, clusters: clustersOf({}), counted: undefined, wave: undefined, soaks: [] },
    ...more,
  };
}

/** The counts of a wave. */
export function waveOf(counts: Partial<WaveRecord>): WaveRecord {
  const numbers = { failing: 0, inOrder: 0, pending: 0, countedMs: NOW, baseline: 0, soakedMs: 0 };
  return { ...numbers, isInOrder: true, isResumed: false, halt: undefined, ...counts };
}

/** A landscape that is seen now. */
export function sightOf(
  name: string,
  entries: readonly EntryStatus[],
  more: Partial<LandscapeStatus> = {},
): LandscapeSight {
  const status: LandscapeStatus = {
    ...{
      landscape: name,
      serves: undefined,
      isNewer: false,
      isWantedKnown: true,
      lease: undefined,
      controller: undefined,
    },
    ...{ pauses: new Map(), entries, objects: [], notes: [] },
    ...more,
  };
  return { name, input: undefined, status, seenMs: NOW, blind: undefined };
}

/** The data of pages, without landscapes unless `more` adds them. */
export function stateOf(statuses: readonly Status[], more: Partial<DashboardState> = {}): DashboardState {
  const gathered: Partial<Gathered> = { catalogue: CATALOGUE, nowMs: NOW, revision: "c".repeat(40) };
  return {
    ...{ nowMs: NOW, revision: "c".repeat(40), repositoryUrl: "https://github.com/octo/train", statuses },
    ...{
      gathered: gathered as Gathered,
      evidence: [],
      branches: new Map<string, never>(),
      manifests: new Map<string, never>(),
    },
    ...{ landscapes: [], unreadable: undefined, isRehearsal: false },
    ...more,
  };
}
