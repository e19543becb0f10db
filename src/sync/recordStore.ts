import { createHash } from "node:crypto";
import { newerFormat, UPDATE } from "../catalogue/conform.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { configMap, configMapRef, configMapData } from "./configMap.ts";
import { expectedObject, referenceTo } from "./identity.ts";
import type { EntryRecord, Records } from "./plan/records.ts";
import { parseRecords, printRecords } from "./plan/recordsJson.ts";

/** The owner of records. A mismatch reveals a context that points to the wrong control plane. */
export interface RecordOwner {
  readonly repository: string;
  readonly landscape: string;
}

/** Throws CONFIGURATION if the records in `place` belong to another repository or landscape. */
export function refuseForeign(owner: RecordOwner | undefined, wanted: RecordOwner, place: string): void {
  const whose = foreignOwner(owner, wanted);
  if (whose === undefined) return;
  const remedy =
    owner?.repository === wanted.repository
      ? `Check the address; or, if it was renamed, take its set over: kyma-modules sync ${wanted.landscape} --take-over-set`
      : "Check the address.";
  throw new Fault("CONFIGURATION", `The records on ${place} belong to ${whose}. ${remedy}`);
}

/** The landscape and the repository that own the records; `undefined` if it is `wanted`, or not known. */
export function foreignOwner(owner: RecordOwner | undefined, wanted: RecordOwner): string | undefined {
  const isOwn = owner === undefined || (owner.landscape === wanted.landscape && owner.repository === wanted.repository);
  return isOwn ? undefined : `${owner.landscape} of ${owner.repository || "a folder"}`;
}

/** The records that a namespace stores, and the objects that hold them. */
export interface StoredRecords {
  readonly records: Records;
  /** `undefined`: nothing is recorded, or an older version of the program wrote no owner. */
  readonly owner: RecordOwner | undefined;
  /** By name. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
}

/** The ConfigMap that holds the records, or the number of ConfigMaps that do. */
export const RECORDS_NAME = "kyma-modules-entries";
/** A ConfigMap holds 1 MiB; half of it leaves room for what others add. Bytes. */
const MAX_BYTES = 500_000;
/** More parts than any landscape needs: 64 MB. */
const MOST_PARTS = 128;
/** The numbers of parts whose ConfigMaps a Role names; 8 parts hold the records of a thousand entries. */
const GRANTED_PARTS = [1, 2, 4, 8];

/** Reads the records of a namespace from one or more ConfigMaps. Throws CLUSTER_REFUSED if they cannot be parsed. */
export async function readRecords(controlPlane: ControlPlane, namespace: string, run: Run): Promise<StoredRecords> {
  const main = await controlPlane.read(configMapRef(RECORDS_NAME, namespace), run);
  if (main === undefined) return { records: { kind: "none" }, owner: undefined, objects: new Map() };
  // Records without a `format` have the first one.
  const newer = newerFormat(Number(storedFields(main).format ?? "1"));
  if (newer !== undefined)
    throw new Fault("CONFIGURATION", `ConfigMap ${RECORDS_NAME} on ${controlPlane.server} is in ${newer}. ${UPDATE}`);
  const count = Number(storedFields(main).parts ?? "1");
  if (!Number.isInteger(count) || count < 1 || count > MOST_PARTS) throw broken(RECORDS_NAME, controlPlane);
  const names = partNames(count);
  const parts = new Map(
    await Promise.all(
      names.map(async (name) => {
        const object = name === RECORDS_NAME ? main : await controlPlane.read(configMapRef(name, namespace), run);
        if (object === undefined) throw broken(name, controlPlane);
        return [name, object] as const;
      }),
    ),
  );
  const entries = [...parts].flatMap(([name, part]) => {
    const read = parseRecords(storedFields(part).entries ?? "");
    if (read === undefined) throw broken(name, controlPlane);
    return [...read];
  });
  const { repository, landscape } = storedFields(main);
  return {
    records: { kind: "known", entries: new Map(entries) },
    owner: repository === undefined || landscape === undefined ? undefined : { repository, landscape },
    objects: new Map([[RECORDS_NAME, main], ...parts]),
  };
}

/**
 * Writes the ConfigMaps of the records that changed, and returns what is stored. A larger number of parts is written
 * beside the old ones, and takes effect when the first ConfigMap names it: a kill leaves either the old or the new
 * records complete.
 *
 * Throws CLUSTER_CONFLICT if another client wrote since the records were read.
 */
export async function writeRecords(
  entries: ReadonlyMap<string, EntryRecord>,
  before: StoredRecords,
  { controlPlane, namespace, owner }: { controlPlane: ControlPlane; namespace: string; owner: RecordOwner },
  run: Run,
): Promise<StoredRecords> {
  const parts = split(entries);
  const objects = new Map(before.objects);
  const wanted = [...parts].map(([name, text]) => configMap(name, namespace, { entries: text }));
  const main = configMap(RECORDS_NAME, namespace, {
    ...owner,
    parts: String(parts.size),
    ...(parts.size === 1 && { entries: parts.get(RECORDS_NAME) ?? "{}" }),
  });
  for (const object of [...wanted.filter(({ metadata }) => metadata.name !== RECORDS_NAME), main]) {
    const live =
      objects.get(object.metadata.name) ??
      (await controlPlane.read(configMapRef(object.metadata.name, namespace), run));
    if (live !== undefined && isSame(live, object)) continue;
    objects.set(object.metadata.name, await applyOne(object, live, controlPlane, run));
  }
  return { records: { kind: "known", entries }, owner, objects };
}

/**
 * A retry after a lost answer conflicts with its own first write. If the wanted content is there, the write succeeded.
 */
async function applyOne(
  object: KubernetesObject,
  live: KubernetesObject | undefined,
  controlPlane: ControlPlane,
  run: Run,
): Promise<KubernetesObject> {
  try {
    return await controlPlane.apply(object, expectedObject(live), run);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "CLUSTER_CONFLICT") throw error;
    const now = await controlPlane.read(referenceTo(object), run);
    if (now === undefined || !isSame(now, object)) throw error;
    return now;
  }
}

function isSame(a: KubernetesObject, b: KubernetesObject): boolean {
  return JSON.stringify(storedFields(a)) === JSON.stringify(storedFields(b));
}

const FIELDS = ["entries", "format", "landscape", "parts", "repository"] as const;

type StoredFields = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

/** The data that we read and write, in one order. */
function storedFields(object: KubernetesObject): StoredFields {
  const data = configMapData(object);
  return Object.fromEntries(FIELDS.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}

/**
 * The names of the ConfigMaps that hold records, for a Role. Rules of a Role have no patterns, and a rule without names
 * would grant every ConfigMap in the namespace of lifecycle-manager. More parts than these need a Role that names them.
 */
export function recordNames(): readonly string[] {
  return GRANTED_PARTS.flatMap(partNames);
}

function partNames(count: number): readonly string[] {
  return count === 1
    ? [RECORDS_NAME]
    : Array.from({ length: count }, (_, index) => `${RECORDS_NAME}-${count}-${index}`);
}

/** The key of an entry determines its part, so that a change of one entry writes one part. */
function split(entries: ReadonlyMap<string, EntryRecord>): ReadonlyMap<string, string> {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  const places = new Map(sorted.map(([key]) => [key, createHash("sha256").update(key).digest().readUInt32BE()]));
  for (let count = 1; ; count *= 2) {
    const names = partNames(count);
    const groups = Map.groupBy(sorted, ([key]) => names[(places.get(key) ?? 0) % count] ?? RECORDS_NAME);
    const parts = names.map((name): [string, string] => [name, printRecords(groups.get(name) ?? [])]);
    if (parts.every(([, text]) => Buffer.byteLength(text) <= MAX_BYTES)) return new Map(parts);
  }
}

function broken(name: string, { server }: ControlPlane): Fault {
  return new Fault(
    "CLUSTER_REFUSED",
    `ConfigMap ${name} on ${server} cannot be parsed: it was edited, or part of it is gone. Restore it from a backup of ` +
      `the control plane; only this brings back since when each version is served, what was served before it, and which ` +
      `waves are halted. Without a backup, delete ${RECORDS_NAME}: all of that is lost, the next sync records the live ` +
      `versions as served since then, and later landscapes wait for their soak again.`,
  );
}
