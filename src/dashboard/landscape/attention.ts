import { shortCommit } from "../../document/printable.ts";
import { shellCommand } from "../../document/shellWord.ts";
import { describeUsers, type Users } from "../../fleet/users.ts";
import { fieldText } from "../../kubernetes/compare.ts";
import { isAbandoned, type EntryStatus, type LandscapeStatus, type WantedStep } from "../../sync/landscapeStatus.ts";
import type { ObjectStatus } from "../../sync/objectStatus.ts";
import { EVERYTHING, resumeCommand } from "../../sync/plan/controls.ts";

/** The kinds of problems, the most severe first. */
const KINDS = [
  "stuck",
  "stale",
  "failed",
  "halted",
  "failing",
  "refused",
  "contested",
  "withheld",
  "paused",
  "unknown",
  "drift",
  "held",
  "waiting",
] as const;

/** The kind of a problem. */
type AttentionKind = (typeof KINDS)[number];

/** A problem on a landscape that needs a person. */
export interface Attention {
  readonly kind: AttentionKind;
  /** Its subject: `regular/istio 1.2.0`, or an object. */
  readonly about: string;
  /** A sentence, or a part of one. */
  readonly message: string;
  /** The remedy, in words. */
  readonly remedy: string | undefined;
  /** Unix milliseconds. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  /** The command to run. */
  readonly command: string | undefined;
}

/** A problem of a controller. */
interface ControllerAttention extends Attention {
  readonly kind: "stuck" | "stale" | "failed" | "withheld";
}

/** The problems on a landscape, the most severe first. `users`: of its modules, if it was asked for them. */
export function landscapeAttention(status: LandscapeStatus, users: Users | undefined): readonly Attention[] {
  const all = [
    ...controllerAttention(status),
    ...unknownClusters(users),
    ...pauses(status),
    ...status.entries.flatMap((entry) => [
      ...haltAttention(entry, status),
      ...failingAttention(entry, status),
      ...wantedAttention(entry),
    ]),
    ...status.objects.map(objectAttention),
  ];
  return all.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

const NOTHING_ELSE = { remedy: undefined, sinceMs: undefined, untilMs: undefined, command: undefined } as const;

/** The problems of the controller of a landscape. */
export function controllerAttention(status: LandscapeStatus): readonly ControllerAttention[] {
  const { held, failures = [], withheld = [], sinceMs } = status.controller ?? {};
  const last = status.controller === undefined ? "it left no status" : "this is its last status";
  const message = `no controller renews the Lease; ${last}`;
  return [
    ...(isAbandoned(status)
      ? [{ ...NOTHING_ELSE, kind: "stale", about: "the controller", message, sinceMs } as const]
      : []),
    ...(held === undefined
      ? []
      : [{ ...NOTHING_ELSE, kind: "stuck", about: shortCommit(held.commit), message: held.because } as const]),
    ...failures.map((failure) => ({ ...NOTHING_ELSE, kind: "failed", ...failure }) as const),
    ...withheld.map((module) => ({ ...NOTHING_ELSE, kind: "withheld", ...module }) as const),
  ];
}

function unknownClusters(users: Users | undefined): readonly Attention[] {
  if (users?.kind !== "unknown") return [];
  return [{ ...NOTHING_ELSE, kind: "unknown", about: "the clusters", message: users.because }];
}

function pauses({ landscape, pauses: told }: LandscapeStatus): readonly Attention[] {
  return [...told].map(([module, { by, reason, atMs: sinceMs }]) => {
    const about = module === EVERYTHING ? "everything" : module;
    const command = resumeCommand(landscape, module === EVERYTHING ? undefined : module);
    return { ...NOTHING_ELSE, kind: "paused", about, message: `by ${by}: ${reason}`, sinceMs, command };
  });
}

function haltAttention(
  { channel, module, version = "", wave }: EntryStatus,
  status: LandscapeStatus,
): readonly Attention[] {
  if (wave?.halt === undefined) return [];
  const { sinceMs, reason: message } = wave.halt;
  const about = `${channel}/${module} ${version}`;
  const remedy = "Serve another version, or resume the wave.";
  const command = resumeCommand(status.landscape, module);
  return [{ ...NOTHING_ELSE, kind: "halted", about, message, remedy, sinceMs, command }];
}

/** A version that fails on more clusters than before. A halt is listed instead. */
function failingAttention(
  { channel, module, version = "", clusters, wave }: EntryStatus,
  status: LandscapeStatus,
): readonly Attention[] {
  if (clusters?.isWorse !== true || wave?.halt !== undefined) return [];
  const { failing, inOrder } = clusters.counts;
  const message = `${describeUsers(failing)} of ${String(failing.count + inOrder)} fail`;
  const command = shellCommand`kyma-modules rollout ${module}@${version} --landscape ${status.landscape}`;
  return [{ ...NOTHING_ELSE, kind: "failing", about: `${channel}/${module} ${version}`, message, command }];
}

const TOLD: ReadonlyMap<WantedStep["kind"], "refused" | "held" | "waiting"> = new Map(
  (["refused", "held", "waiting"] as const).map((kind) => [kind, kind]),
);

/** Paused steps are not listed: the pause itself is listed once. */
function wantedAttention({ channel, module, wanted }: EntryStatus): readonly Attention[] {
  const kind = wanted && TOLD.get(wanted.kind);
  if (kind === undefined || wanted?.reason === undefined) return [];
  const { version = "–", reason: message, remedy, untilMs } = wanted;
  // The remedy of a hold is a command.
  const [words, command] = kind === "held" ? [undefined, remedy] : [remedy, undefined];
  return [
    { ...NOTHING_ELSE, kind, about: `${channel}/${module} ${version}`, message, remedy: words, untilMs, command },
  ];
}

/** The number of fields that are named; others are counted. */
const SHOWN = 3;

function objectAttention({ kind, object, by, fields, reason, remedy }: ObjectStatus): Attention {
  const paths = fields.slice(0, SHOWN).map(({ path }) => fieldText(path));
  const more = fields.length > SHOWN ? [`and ${String(fields.length - SHOWN)} more`] : [];
  const what = fields.length === 0 ? "" : `: ${[...paths, ...more].join(", ")}`;
  const who = by.join(", ") || "an unknown client";
  const verb = kind === "contested" ? "undoes every repair; nothing was written since" : "changed it";
  const message = reason ?? `${who} ${verb}${what}`;
  return { ...NOTHING_ELSE, kind, about: `${object.kind} ${object.name}`, message, remedy };
}
