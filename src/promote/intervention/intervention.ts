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

/** What a person asks for: that a version is held, is no longer held, or is withdrawn. */
export interface PersonRequest {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** `undefined`: all channels. */
  readonly channel: ChannelName | undefined;
  readonly reason: string;
  /** A login. */
  readonly by: string;
}

/** What is known of the module when it is decided. */
export interface ModuleContext {
  /** The base. */
  readonly catalogue: Catalogue;
  /** What each channel ever served of the module, highest first, what it serves now among it. */
  readonly ever: ReadonlyMap<ChannelName, readonly ModuleVersion[]>;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** A change of files that a person's request amounts to. */
export interface FileChange {
  readonly kind: "change";
  /** The subject of its commit. */
  readonly subject: string;
  /** Path to text. */
  readonly files: ReadonlyMap<string, string>;
  /** What it means, for people: full sentences. */
  readonly sentences: readonly string[];
}

/** Why a person's request is not carried out, and what to do instead; full sentences. */
export interface RefusedRequest {
  readonly kind: "refused";
  readonly why: string;
  readonly remedy: string;
  /** Whether the request itself is wrong: it names what is not there, or says what no file may say. */
  readonly isUsage: boolean;
}

/** Why a person's request changes no file; full sentences. */
export type NoChange = { readonly kind: "nothing"; readonly why: string } | RefusedRequest;

/** What a request amounts to. */
export type Intervention = FileChange | NoChange;

/** What each channel ever served of the module by its history, highest first. */
export function everOf({ channels }: Catalogue, module: ModuleName, { served }: ModuleHistory): ModuleContext["ever"] {
  return new Map(
    [...channels.values()].map(({ name, templates }) => [
      name,
      everServed(served.get(name), templates.get(module)?.version),
    ]),
  );
}

/** Now as the files have it: UTC, to the second that is over. */
export function nowText({ nowMs }: ModuleContext): string {
  return instantText(nowMs - (nowMs % 1000));
}

/** ` in CHANNEL`, or nothing for all channels. */
export function inChannel(channel: ChannelName | undefined): string {
  return channel === undefined ? "" : ` in ${channel}`;
}

/** The entries of the module's holds, those that have ended among them. */
export function holdsOf({ catalogue }: ModuleContext, { module }: PersonRequest): readonly Hold[] {
  return catalogue.modules.get(module)?.holds ?? [];
}

/** The holds of a version that have not ended by themselves, in the order of the file. */
export function holdsInForce(known: ModuleContext, request: PersonRequest): readonly Hold[] {
  return holdsOf(known, request).filter((hold) => hold.version === request.version && holdEndMs(hold) > known.nowMs);
}

/** Why nothing at all can be done for a request: it names what nobody knows, or a file that cannot be read. */
export function refusalOf(request: PersonRequest, known: ModuleContext): RefusedRequest | undefined {
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
    return misused(`Nothing is known of a module ${module}: no channel ever served it.`, remedy);
  }
  const path = holdsPath(module);
  if (isBroken(catalogue, path))
    return refused(`${path} cannot be read.`, `Repair it first: kyma-modules check ${path}`);
  return undefined;
}

/** Why nothing can be done for a channel that is not there. */
export function unknownChannel(channel: ChannelName, { channels }: Catalogue): RefusedRequest {
  return misused(`There is no channel ${channel}.`, `Name one of ${[...channels.keys()].join(", ")}.`);
}

/** Why an entry cannot be written: what the schema says of the option that made it so. */
export function entryRefusal(...[kind, entry]: NewEntry): RefusedRequest | undefined {
  const [problem] = validate(kind, { format: 1, [kind]: [entry] });
  return problem && misused(`--${optionOf(String(problem.path[2]))} ${problem.message}.`, problem.remedy);
}

/** The name of its file, and an entry that a person asked for. */
type NewEntry = ["holds", Hold] | ["hotfixes", Hotfix];

/** `alsoFixedIn` is given as `--also-fixed-in`. */
function optionOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The refusal of a request that nothing is wrong with, in two full sentences. */
export function refused(why: string, remedy: string): RefusedRequest {
  return { kind: "refused", why, remedy, isUsage: false };
}

/** The refusal of a request that is wrong itself, in two full sentences. */
export function misused(why: string, remedy: string): RefusedRequest {
  return { kind: "refused", why, remedy, isUsage: true };
}
