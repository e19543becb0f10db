import { counted } from "../../document/counted.ts";
import { printable, shortCommit } from "../../document/printable.ts";
import { compareText } from "../../document/order.ts";
import { MISSING_WORDS } from "../../fleet/words.ts";
import { fieldText } from "../../kubernetes/compare.ts";
import { durationText, secondText } from "../../document/times.ts";
import type { EntryClusters } from "../../sync/entryClusters.ts";
import { isAbandoned, type EntryStatus, type LandscapeStatus, type Soak } from "../../sync/landscapeStatus.ts";
import type { ObjectStatus } from "../../sync/objectStatus.ts";
import { EVERYTHING, resumeCommand } from "../../sync/plan/controls.ts";
import { percent } from "../../sync/plan/soak.ts";
import { type DocumentFacts, type Output, table } from "../terminal/output.ts";
import { troubleLine, type TroubleLine } from "./report.ts";

const HEADER = ["CHANNEL", "MODULE", "LANDSCAPE", "SERVES", "FOR", "HAVE IT", "WORST", "WAVE", "SOAK", "WANTED"];
/** The index of the column that is omitted for a single landscape. */
const LANDSCAPE = HEADER.indexOf("LANDSCAPE");

/** The status of a landscape, or why it is not known. */
export type LandscapeLook =
  | { readonly landscape: string; readonly status: LandscapeStatus }
  | { readonly landscape: string; readonly unknown: string };

/** The writers of each landscape, a row for each entry, and below them the troubles. */
export function landscapesText(looks: readonly LandscapeLook[], facts: DocumentFacts, output: Output): string {
  const statuses = looks.flatMap((look) => ("status" in look ? [look.status] : []));
  const isOne = looks.length === 1;
  const rows = statuses
    .flatMap(({ landscape, entries }) => entries.map((entry) => ({ landscape, ...entry })))
    .toSorted((a, b) => compareText(`${a.channel}/${a.module}`, `${b.channel}/${b.module}`))
    .map((entry) => entryRow(entry, facts.decidedAt).map(printable));
  const heads = looks.flatMap((look) =>
    "unknown" in look
      ? [`${look.landscape}: not known: ${look.unknown}`]
      : [`${look.landscape}: ${revisionText(look.status, facts)}`, keeperText(look.status, facts.decidedAt)],
  );
  const shown = [HEADER, ...rows].map((row) => row.filter((_, column) => !isOne || column !== LANDSCAPE));
  const [header = [], ...cells] = shown;
  return [
    ...heads.map(printable),
    ...(rows.length > 0 ? [table(header, cells, output)] : statuses.length > 0 ? ["nothing is served"] : []),
    ...statuses
      .flatMap((status) => landscapeTroubles(status, facts, isOne))
      .map((trouble) => troubleLine(trouble, output)),
    ...statuses.flatMap(({ landscape, notes }) =>
      notes.map((note) => printable(`note: ${isOne ? "" : `${landscape}: `}${note}`)),
    ),
  ].join("\n");
}

function landscapeTroubles(
  status: LandscapeStatus,
  { decidedAt }: DocumentFacts,
  isOne: boolean,
): readonly TroubleLine[] {
  const { landscape, entries, objects } = status;
  const troubles = [
    ...controllerTroubles(status, decidedAt),
    ...pauseTroubles(status),
    ...entries.flatMap((entry) => [...haltTroubles(entry, landscape), ...wantedTroubles(entry)]),
    ...objects.map(objectTrouble),
  ];
  return troubles.map((one) => (isOne ? one : { ...one, about: `${landscape} ${one.about}` }));
}

function revisionText({ serves, isNewer }: LandscapeStatus, { revision }: DocumentFacts): string {
  if (serves === undefined) return "nothing was synced yet";
  if (serves === revision) return `serves ${shortCommit(serves)}, the commit you asked about`;
  const asked = `you asked about ${shortCommit(revision ?? "")}`;
  return isNewer
    ? `serves the newer commit ${shortCommit(serves)}; ${asked}: fetch, then run the command again to see what is wanted`
    : `serves ${shortCommit(serves)}; ${asked}`;
}

function keeperText({ lease, controller }: LandscapeStatus, nowMs: number): string {
  const said = controller?.sinceMs === undefined ? "" : `; its status was written at ${secondText(controller.sinceMs)}`;
  if (lease === undefined) return `the Lease is free${said}`;
  const { holder, sinceMs, renewedMs, isExpired } = lease;
  const renewed = renewedMs === undefined ? "" : `, last renewed at ${secondText(renewedMs)}`;
  if (isExpired) return `the Lease of ${holder} expired${renewed}${said}`;
  const since = sinceMs === undefined ? "holds the Lease" : `has held the Lease for ${durationText(nowMs - sinceMs)}`;
  return `${holder} ${since}${said}`;
}

function entryRow(entry: EntryStatus & { readonly landscape: string }, nowMs: number): readonly string[] {
  const { channel, module, landscape, version, sinceMs, clusters, wave, soaks } = entry;
  const counts =
    wave && (clusters === undefined ? wave : { ...clusters.counts, failing: clusters.counts.failing.count });
  const waits = soaks.map(({ landscape: later, soaked }) => `${later} ${soakText(soaked, nowMs)}`);
  return [
    ...[channel, module, landscape, version ?? "–", sinceMs === undefined ? "–" : durationText(nowMs - sinceMs)],
    clusters === undefined ? "?" : shareText(clusters),
    clusters?.worst === undefined ? "–" : MISSING_WORDS[clusters.worst],
    counts === undefined ? "–" : countsText(counts),
    waits.join(", ") || "–",
    wantedText(entry),
  ];
}

/** As they are now; if that is not known, by the last count. */
function countsText({ inOrder, pending, failing }: Record<"inOrder" | "pending" | "failing", number>): string {
  const parts = [
    [inOrder, "in order"],
    [pending, "pending"],
    [failing, "failing"],
  ] as const;
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ") || "–";
}

function wantedText({ wanted, isWantedKnown }: EntryStatus): string {
  if (wanted === undefined) return isWantedKnown ? "–" : "?";
  return `${wanted.kind} ${wanted.version ?? ""}`.trimEnd();
}

function soakText(soaked: Soak["soaked"], nowMs: number): string {
  if (soaked.kind === "soaking") return `in ${durationText(soaked.untilMs - nowMs)}`;
  if (soaked.kind !== "soaked" || soaked.users === "in order") return soaked.kind;
  return `soaked (${soaked.users === "none" ? "no clusters" : "clusters not counted"})`;
}

function shareText({ asked, have }: EntryClusters): string {
  return asked === 0 ? "–" : `${have} of ${asked} (${percent(have / asked)})`;
}

function controllerTroubles(status: LandscapeStatus, nowMs: number): readonly TroubleLine[] {
  const { held, failures = [], withheld = [] } = status.controller ?? {};
  return [
    ...(isAbandoned(status)
      ? [{ style: "bad", word: "stale", about: "status", message: staleText(status, nowMs) } as const]
      : []),
    ...(held ? [{ style: "bad", word: "stuck", about: shortCommit(held.commit), message: held.because } as const] : []),
    ...failures.map((failure) => ({ style: "bad", word: "failed", ...failure }) as const),
    ...withheld.map((module) => ({ style: "bad", word: "withheld", ...module }) as const),
  ];
}

function staleText({ controller }: LandscapeStatus, nowMs: number): string {
  const { sinceMs } = controller ?? {};
  const age = sinceMs === undefined ? "" : ` for ${durationText(nowMs - sinceMs)}`;
  const last = controller === undefined ? "it left no status" : `its last status has been the same${age}`;
  return `no controller renews the Lease; ${last}`;
}

function pauseTroubles({ landscape, pauses }: LandscapeStatus): readonly TroubleLine[] {
  return [...pauses].map(([module, { by, reason, atMs }]) => {
    const isAll = module === EVERYTHING;
    const resume = resumeCommand(landscape, isAll ? undefined : module);
    const message = `by ${by} since ${secondText(atMs)}: ${reason}. To resume: ${resume}`;
    return { style: "bad", word: "paused", about: isAll ? "everything" : module, message };
  });
}

function haltTroubles({ channel, module, version = "", wave }: EntryStatus, landscape: string): readonly TroubleLine[] {
  if (wave?.halt === undefined) return [];
  const { sinceMs, reason } = wave.halt;
  const message = `since ${secondText(sinceMs)}: ${reason}. Serve another version, or: ${resumeCommand(landscape, module)}`;
  return [{ style: "bad", word: "halted", about: `${channel}/${module} ${version}`, message }];
}

/** A pause is reported once, not for each of its entries. */
function wantedTroubles({ channel, module, wanted }: EntryStatus): readonly TroubleLine[] {
  if (wanted?.reason === undefined || wanted.kind === "paused") return [];
  const { kind, version = "–", reason, remedy, untilMs } = wanted;
  const until = untilMs === undefined ? "" : `; until ${secondText(untilMs)}`;
  const what = remedy === undefined ? "" : kind === "held" ? `; to lift it: ${remedy}` : ` ${remedy}`;
  const style = kind === "refused" ? "bad" : "change";
  return [{ style, word: kind, about: `${channel}/${module} ${version}`, message: `${reason}${until}${what}` }];
}

function objectTrouble({ kind, object, by, fields, reason, remedy }: ObjectStatus): TroubleLine {
  const style = kind === "contested" || kind === "refused" ? "bad" : "change";
  const who = by.join(", ") || "an unknown client";
  const shown = fields.slice(0, SHOWN).map(({ path }) => fieldText(path));
  const more = fields.length > SHOWN ? [counted(fields.length - SHOWN, "more field")] : [];
  const what = fields.length === 0 ? "" : `: ${[...shown, ...more].join(", ")}`;
  const verb = kind === "contested" ? "undoes every repair" : "changed it";
  const message = reason === undefined ? `${who} ${verb}${what}` : [reason, remedy ?? ""].join(" ").trim();
  return { style, word: kind, about: `${object.kind} ${object.name}`, message };
}

/** How many fields are named; the others are counted. */
const SHOWN = 3;
