import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import type { Level } from "../../catalogue/policy.ts";
import { levelOf } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import { changelogOf } from "../../promote/body.ts";
import { inForce, periodsNow } from "../../promote/verdict/holding.ts";
import { statesOf } from "../../promote/verdict/subject.ts";
import type { DashboardState } from "../state.ts";
import { evidenceOf } from "./evidence.ts";
import type { ModuleChannel, ModuleFacts } from "./facts.ts";
import { expectedAt } from "./timeline.ts";

/** One version, and its state in each channel. */
export interface VersionRow {
  readonly version: ModuleVersion;
  /** The step from the next lower version that any channel had; *first* for the lowest. */
  readonly level: Level;
  /** In the order of the channels. */
  readonly places: readonly VersionPlace[];
  /** The kinds of evidence that count for its content, each once. */
  readonly evidence: readonly Evidence["kind"][];
  /** The logins of the people who approved it, from evidence. */
  readonly approvedBy: readonly string[];
  /** The address of its changes in the source repository; `undefined` if the module names no repository. */
  readonly changelog: string | undefined;
}

/** A version in one channel. */
export interface VersionPlace {
  readonly channel: ChannelName;
  /** The periods in which it was served, oldest first. Without `endMs`, it is still served. */
  readonly served: readonly { readonly startMs: number; readonly endMs: number | undefined }[];
  readonly isHotfix: boolean;
  /** Whether it is held out of the channel now. */
  readonly isHeld: boolean;
  /** Its verdict as a candidate; `undefined` if it is not a candidate. */
  readonly candidate: "promote" | "wait" | "blocked" | undefined;
  /** When it may enter the channel, if it only waits for time. */
  readonly expectedMs: number | undefined;
}

/** Every version of a module that a channel ever served or that its folder contains, highest first. */
export function versionsOf(
  facts: ModuleFacts,
  { gathered, nowMs }: Pick<DashboardState, "gathered" | "nowMs">,
): readonly VersionRow[] {
  const { history, said, channels } = facts;
  const served = [...history.served.values()].flat().flatMap(({ version }) => version ?? []);
  const all = [...new Set([...served, ...(said?.templates.keys() ?? [])])].sort((a, b) => compareVersions(b, a));
  const holds = channels.map(({ channel }) => inForce(periodsNow(gathered.catalogue, channel, history), nowMs));
  return all.map((version, place): VersionRow => {
    const before = all[place + 1];
    const counting = evidenceOf(facts, version, nowMs).filter(({ counts }) => counts);
    const approvals = counting.flatMap(({ one }) => (one.kind === "approval" && one.approved ? [one.by] : []));
    const repository = said?.says.links?.repository;
    return {
      version,
      level: levelOf(before, version),
      places: channels.map((one, index) => ({
        ...placeOf(version, one, facts),
        isHeld: (holds[index] ?? []).some((period) => period.version === version),
      })),
      evidence: [...new Set(counting.map(({ one }) => one.kind))],
      approvedBy: [...new Set(approvals)],
      changelog: repository === undefined ? undefined : changelogOf(repository, before, version).at(-1),
    };
  });
}

function placeOf(
  version: ModuleVersion,
  { channel, status }: ModuleChannel,
  { history, events }: ModuleFacts,
): Omit<VersionPlace, "isHeld"> {
  // New content of the same version continues its period.
  const begins = statesOf(history, channel.name).filter(
    (state, place, states) => state.version !== states[place - 1]?.version,
  );
  const chosen = status?.verdict?.chosen;
  const candidate = status?.verdict?.candidates.find((one) => one.version === version)?.kind;
  return {
    channel: channel.name,
    served: begins.flatMap((state, place) =>
      state.version === version ? [{ startMs: state.revision.atMs, endMs: begins[place + 1]?.revision.atMs }] : [],
    ),
    isHotfix: events.some(
      (event) =>
        event.kind === "step" && event.how === "hot-fix" && event.channel === channel.name && event.to === version,
    ),
    candidate,
    expectedMs: chosen?.version === version ? expectedAt(status) : undefined,
  };
}
