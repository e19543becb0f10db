import type { Catalogue } from "../../catalogue/catalogue.ts";
import { isBroken } from "../../document/finding.ts";
import { holdEndMs } from "../../catalogue/holdStrength.ts";
import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import { holdsPath } from "../../catalogue/paths.ts";
import type { Hold, Hotfix } from "../../catalogue/policy.ts";
import { validate } from "../../catalogue/schema.ts";
import { everServed } from "../../catalogue/steps.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { ModuleHistory } from "../../catalogue/history/history.ts";
import { instantText } from "../../document/times.ts";

/** A person's request to hold, unhold or withdraw a version. */
export interface PersonRequest {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `undefined`: all channels. */
  readonly channel: ChannelName | undefined;
  readonly reason: string;
  /** A login. */
  readonly by: string;
}

/** The known facts about the module when a request is decided. */
export interface ModuleContext {
  /** The catalogue of the base. */
  readonly catalogue: Catalogue;
  /** All versions of the module that each channel ever served, highest first, including the current one. */
  readonly ever: ReadonlyMap<ChannelName, readonly ModuleVersion[]>;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** The change of files that a request leads to. */
export interface FileChange {
  readonly kind: "change";
  /** The subject of its commit. */
  readonly subject: string;
  /** Path to text. */
  readonly files: ReadonlyMap<string, string>;
  /** Its effect, for people: full sentences. */
  readonly sentences: readonly string[];
}

/** Why a request is refused, and what to do instead; full sentences. */
export interface RefusedRequest {
  readonly kind: "refused";
  readonly why: string;
  readonly remedy: string;
  /** Whether the request itself is invalid: it names something unknown, or a value that no file may contain. */
  readonly isUsage: boolean;
}

/** Why a request changes no file; full sentences. */
export type NoChange = { readonly kind: "nothing"; readonly why: string } | RefusedRequest;

/** The decision on a request. */
export type Intervention = FileChange | NoChange;

/** All versions of the module that each channel ever served according to its history, highest first. */
export function everServedVersions(
  { channels }: Catalogue,
  module: ModuleName,
  { served }: ModuleHistory,
): ModuleContext["ever"] {
  return new Map(
    [...channels.values()].map(({ name, templates }) => [
      name,
      everServed(served.get(name), templates.get(module)?.version),
    ]),
  );
}

/** The current time in the format of the files: UTC, rounded down to a second. */
export function nowText({ nowMs }: ModuleContext): string {
  return instantText(nowMs - (nowMs % 1000));
}

/** ` in CHANNEL`, or nothing for all channels. */
export function inChannel(channel: ChannelName | undefined): string {
  return channel === undefined ? "" : ` in ${channel}`;
}

/** The entries of the module's holds, including those that have ended. */
export function standingHolds({ catalogue }: ModuleContext, { module }: PersonRequest): readonly Hold[] {
  return catalogue.modules.get(module)?.holds ?? [];
}

/** The holds of a version that have not ended by themselves, in the order of the file. */
export function holdsInForce(known: ModuleContext, request: PersonRequest): readonly Hold[] {
  return standingHolds(known, request).filter(
    (hold) => hold.version === request.version && holdEndMs(hold) > known.nowMs,
  );
}

/** Refuses a request that names an unknown channel or module, or whose file of holds cannot be read. */
export function requestRefusal(request: PersonRequest, known: ModuleContext): RefusedRequest | undefined {
  const { module, channel } = request;
  const { catalogue, ever } = known;
  const { channels, modules } = catalogue;
  if (channel !== undefined && !channels.has(channel)) return unknownChannel(channel, catalogue);
  const there = new Set([
    ...modules.keys(),
    ...[...channels.values()].flatMap(({ templates }) => [...templates.keys()]),
  ]);
  if (!there.has(module) && [...ever.values()].every(({ length }) => length === 0)) {
    const remedy = there.size === 0 ? "There is no module at all." : `Name one of ${[...there].sort().join(", ")}.`;
    return misused(`Nothing is known about a module ${module}: no channel ever served it.`, remedy);
  }
  const path = holdsPath(module);
  if (isBroken(catalogue, path))
    return refused(`${path} cannot be read.`, `Repair it first: kyma-modules check ${path}`);
  return undefined;
}

/** The refusal of a request for an unknown channel. */
export function unknownChannel(channel: ChannelName, { channels }: Catalogue): RefusedRequest {
  return misused(`There is no channel ${channel}.`, `Name one of ${[...channels.keys()].join(", ")}.`);
}

/** Refuses an entry that the schema does not accept, naming the option to blame. */
export function entryRefusal(...[kind, entry]: NewEntry): RefusedRequest | undefined {
  const [problem] = validate(kind, { format: 1, [kind]: [entry] });
  if (problem === undefined) return undefined;
  // `alsoFixedIn` is given as `--also-fixed-in`.
  const option = String(problem.path[2]).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return misused(`--${option} ${problem.message}.`, problem.remedy);
}

/** The name of its file, and an entry that a person asked for. */
type NewEntry = ["holds", Hold] | ["hotfixes", Hotfix];

/** The refusal of a valid request, in two full sentences. */
export function refused(why: string, remedy: string): RefusedRequest {
  return { kind: "refused", why, remedy, isUsage: false };
}

/** The refusal of an invalid request, in two full sentences. */
export function misused(why: string, remedy: string): RefusedRequest {
  return { kind: "refused", why, remedy, isUsage: true };
}
