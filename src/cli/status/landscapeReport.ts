import { counted } from "../../document/counted.ts";
import { printable } from "../../document/printable.ts";
import { fieldText } from "../../kubernetes/compare.ts";
import { durationText, instantText } from "../../document/times.ts";
import type { EntryStatus, LandscapeStatus, Soak } from "../../sync/landscapeStatus.ts";
import type { ObjectStatus } from "../../sync/objectStatus.ts";
import { EVERYTHING } from "../../sync/plan/controls.ts";
import { type DocumentFacts, type Output, table } from "../terminal/output.ts";
import { troubleLine, type Trouble } from "./report.ts";

const HEADER = ["CHANNEL", "MODULE", "SERVES", "FOR", "USERS", "CLUSTERS", "SOAK", "WANTED"];

/** Who keeps a landscape, one row an entry, and below them what somebody should look at. */
export function landscapeText(status: LandscapeStatus, facts: DocumentFacts, output: Output): string {
  const { landscape, entries, objects, notes } = status;
  const troubles = [
    ...controllerTroubles(status, facts.decidedAt),
    ...pauseTroubles(status),
    ...entries.flatMap((entry) => entryTroubles(entry, landscape)),
    ...objects.map(objectTrouble),
  ];
  const rows = entries.map((entry) => rowOf(entry, facts.decidedAt).map(printable));
  return [
    printable(`${landscape}: ${revisionText(status, facts)}`),
    printable(keeperText(status, facts.decidedAt)),
    ...(rows.length === 0 ? ["nothing is served"] : [table(HEADER, rows, output)]),
    ...troubles.map((trouble) => troubleLine(trouble, output)),
    ...notes.map((note) => printable(`note: ${note}`)),
  ].join("\n");
}

function revisionText({ serves, isNewer }: LandscapeStatus, { revision }: DocumentFacts): string {
  if (serves === undefined) return "nothing was synced yet";
  if (serves === revision) return `serves ${short(serves)}, the commit you asked about`;
  const asked = `you asked about ${short(revision ?? "")}`;
  return isNewer
    ? `serves the newer commit ${short(serves)}; ${asked}: fetch and look again to see what is wanted`
    : `serves ${short(serves)}; ${asked}`;
}

function keeperText({ lease, controller }: LandscapeStatus, nowMs: number): string {
  const said = controller?.sinceMs === undefined ? "" : `; its status is of ${instantText(controller.sinceMs)}`;
  if (lease === undefined) return `nobody holds the Lease${said}`;
  const { holder, sinceMs, renewedMs, isExpired } = lease;
  if (isExpired) return `${holder} held the Lease, and renewed it last at ${instantText(renewedMs)}${said}`;
  return `${holder} holds the Lease for ${durationText(nowMs - sinceMs)}${said}`;
}

function rowOf(entry: EntryStatus, nowMs: number): readonly string[] {
  const { channel, module, version, sinceMs, users, wave, soaks, wanted } = entry;
  const clusters = (["inOrder", "pending", "failing"] as const).flatMap((key) =>
    wave === undefined || wave[key] === 0 ? [] : [`${wave[key]} ${key === "inOrder" ? "in order" : key}`],
  );
  return [
    ...[channel, module, version ?? "–", sinceMs === undefined ? "–" : durationText(nowMs - sinceMs)],
    ...[users === undefined ? "?" : String(users), clusters.join(", ") || "–"],
    soaks.map((soak) => soakText(soak, nowMs)).join(", ") || "–",
    wanted === undefined ? "–" : `${wanted.kind} ${wanted.version ?? ""}`.trimEnd(),
  ];
}

function soakText({ landscape, soaked }: Soak, nowMs: number): string {
  return `${landscape} ${soaked.kind === "soaking" ? `in ${durationText(soaked.untilMs - nowMs)}` : soaked.kind}`;
}

function controllerTroubles({ controller }: LandscapeStatus, nowMs: number): readonly Trouble[] {
  if (controller === undefined) return [];
  const { held, isStale, sinceMs } = controller;
  const age = sinceMs === undefined ? "" : ` for ${durationText(nowMs - sinceMs)}`;
  const stale = `no controller renews the Lease; what it said last has been so${age}`;
  return [
    ...(isStale ? [{ style: "bad", word: "stale", about: "status", message: stale } as const] : []),
    ...(held ? [{ style: "bad", word: "stuck", about: short(held.commit), message: held.because } as const] : []),
  ];
}

function pauseTroubles({ landscape, pauses }: LandscapeStatus): readonly Trouble[] {
  return [...pauses].map(([module, { by, reason, atMs }]) => {
    const isAll = module === EVERYTHING;
    const resume = `kyma-modules sync resume ${landscape}${isAll ? "" : ` ${module}`} --reason TEXT`;
    const message = `by ${by} since ${instantText(atMs)}: ${reason}. To go on: ${resume}`;
    return { style: "bad", word: "paused", about: isAll ? "everything" : module, message };
  });
}

function entryTroubles(entry: EntryStatus, landscape: string): readonly Trouble[] {
  return [...haltTroubles(entry, landscape), ...wantedTroubles(entry)];
}

function haltTroubles({ channel, module, version = "", wave }: EntryStatus, landscape: string): readonly Trouble[] {
  if (wave?.halt === undefined) return [];
  const { sinceMs, reason } = wave.halt;
  const resume = `kyma-modules sync resume ${landscape} ${module} --reason TEXT`;
  const message = `since ${instantText(sinceMs)}: ${reason}. Serve another version, or: ${resume}`;
  return [{ style: "bad", word: "halted", about: `${channel}/${module} ${version}`, message }];
}

/** A pause is told once, for all that it keeps. */
function wantedTroubles({ channel, module, wanted }: EntryStatus): readonly Trouble[] {
  if (wanted?.reason === undefined || wanted.kind === "paused") return [];
  const { kind, version = "–", reason, remedy, untilMs } = wanted;
  const until = untilMs === undefined ? "" : `; until ${instantText(untilMs)}`;
  const what = remedy === undefined ? "" : kind === "held" ? `; to lift it: ${remedy}` : ` ${remedy}`;
  const style = kind === "refused" ? "bad" : "change";
  return [{ style, word: kind, about: `${channel}/${module} ${version}`, message: `${reason}${until}${what}` }];
}

function objectTrouble({ kind, object, by, fields, reason, remedy }: ObjectStatus): Trouble {
  const style = kind === "contested" || kind === "refused" ? "bad" : "change";
  const who = by.join(", ") || "an unknown client";
  const what = fields.length === 0 ? "" : `: ${whatChanged(fields)}`;
  const verb = kind === "contested" ? "undoes every repair" : "changed it";
  const message = reason === undefined ? `${who} ${verb}${what}` : [reason, remedy ?? ""].join(" ").trim();
  return { style, word: kind, about: `${object.kind} ${object.name}`, message };
}

/** Fields that are named; the rest is counted. */
const SHOWN = 3;

function whatChanged(fields: ObjectStatus["fields"]): string {
  const shown = fields.slice(0, SHOWN).map(({ path }) => fieldText(path));
  const more = fields.length > SHOWN ? [counted(fields.length - SHOWN, "more field")] : [];
  return [...shown, ...more].join(", ");
}

function short(commit: string): string {
  return commit.slice(0, 10);
}
