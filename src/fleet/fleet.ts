import { compareVersions, parseVersion } from "../catalogue/version.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { readKyma, readManifest, strayRow, unnamedRow, type KymaRow, type ManifestRow, type Sighting } from "./rows.ts";
import { nameSome, UNKNOWN_VERSION, type ModuleUser, type Users } from "./users.ts";

/**
 * The users on a control plane, as compact rows: the Kymas of a fleet take a hundred megabytes. A change of one object
 * costs as much as that object and the users of its modules.
 */
export class Fleet {
  readonly #kymas = new Map<string, KymaRow>();
  readonly #manifests = new Map<string, ManifestRow>();
  /** Those Manifests that name no module. */
  readonly #unnamed = new Map<string, ManifestRow>();
  /** All are `undefined` after a change. */
  #users: Users | undefined;
  #names: ReadonlySet<string> | undefined;
  #leftOut: ReadonlySet<string> | undefined;
  #regions: ReadonlyMap<string, string> | undefined;
  /** By module. */
  readonly #members = new Changing<Members, readonly ModuleUser[]>(
    () => ({ kymas: new Map(), manifests: new Map() }),
    (members) => memberRows(members, this.#unnamed, this.#kymas),
    (rows) => rows.length === 0,
  );
  /** The users that name a template, by template. */
  readonly #referrers = new Changing<Set<string>, ReturnType<typeof nameSome>>(
    () => new Set(),
    (users) => nameSome([...users]),
    ({ count }) => count === 0,
  );

  /** Adds or replaces a Kyma. With `seen`, rows have the time of their last change. */
  setKyma(kyma: KubernetesObject, seen?: Sighting): void {
    this.#users = undefined;
    const { name } = kyma.metadata;
    const before = this.#kymas.get(name);
    const row = readKyma(kyma, before, seen);
    this.#forgetKyma(name);
    if (before === undefined || row.leftOut !== before.leftOut) this.#touchKymas();
    if (row.region !== before?.region) this.#regions = undefined;
    this.#kymas.set(name, row);
    for (const [module, user] of row.modules) this.#members.touch(module).kymas.set(name, user);
    for (const template of row.templates) this.#referrers.touch(template).add(row.userName);
  }

  /** Removes a Kyma that was deleted. */
  removeKyma(name: string): void {
    this.#users = undefined;
    this.#regions = undefined;
    if (this.#kymas.has(name)) this.#touchKymas();
    this.#forgetKyma(name);
  }

  #touchKymas(): void {
    this.#names = undefined;
    this.#leftOut = undefined;
    // A Manifest of any module may belong to the Kyma.
    this.#members.touchAll();
  }

  #forgetKyma(name: string): void {
    const row = this.#kymas.get(name);
    if (row === undefined) return;
    this.#kymas.delete(name);
    for (const module of row.modules.keys()) this.#members.touch(module).kymas.delete(name);
    for (const template of row.templates) this.#referrers.touch(template).delete(row.userName);
  }

  /** Adds or replaces a Manifest; `seen` as with a Kyma. */
  setManifest(manifest: KubernetesObject, seen?: Sighting): void {
    const { name } = manifest.metadata;
    const row = readManifest(manifest, this.#manifests.get(name), seen);
    this.removeManifest(name);
    this.#manifests.set(name, row);
    this.#rowsBeside(row).set(name, row);
    for (const template of row.templates) this.#referrers.touch(template).add(`Manifest ${name}`);
  }

  /** Removes a Manifest that was deleted. */
  removeManifest(name: string): void {
    this.#users = undefined;
    const row = this.#manifests.get(name);
    if (row === undefined) return;
    this.#manifests.delete(name);
    this.#rowsBeside(row).delete(name);
    for (const template of row.templates) this.#referrers.touch(template).delete(`Manifest ${name}`);
  }

  /** The Manifests of the same module, which are about to change. Without a module, one may belong to any. */
  #rowsBeside({ module }: ManifestRow): Map<string, ManifestRow> {
    if (module !== undefined) return this.#members.touch(module).manifests;
    this.#members.touchAll();
    return this.#unnamed;
  }

  /** The names of all Kymas. */
  get kymas(): readonly string[] {
    return [...this.#kymas.keys()];
  }

  /** The names of all Manifests. */
  get manifests(): readonly string[] {
    return [...this.#manifests.keys()];
  }

  /** The current users: the same value until they change. Earlier values do not change. */
  users(): Users {
    return (this.#users ??= this.#read());
  }

  #read(): Users {
    this.#names ??= new Set(this.#kymas.keys());
    this.#regions ??= kymaRegions(this.#kymas);
    const [modules, templates] = [this.#members.read(), this.#referrers.read()];
    const unnamed = [...this.#unnamed.values()].map(unnamedRow);
    this.#leftOut ??= new Set([...this.#kymas].flatMap(([name, row]) => (row.leftOut === undefined ? [] : [name])));
    return {
      kind: "known",
      modules,
      templates,
      unnamed,
      kymas: this.#names,
      leftOut: this.#leftOut,
      regions: this.#regions,
    };
  }
}

function kymaRegions(kymas: ReadonlyMap<string, KymaRow>): ReadonlyMap<string, string> {
  const regions = new Map<string, string>();
  for (const [name, { region }] of kymas) if (region !== undefined) regions.set(name, region);
  return regions;
}

/** The objects that mention a module, by name. */
interface Members {
  readonly kymas: Map<string, ModuleUser>;
  readonly manifests: Map<string, ManifestRow>;
}

/**
 * The rows of Kymas, with what their Manifests install; then the Manifests of Kymas that do not mention the module. A
 * Manifest that names no module counts for each module of its Kyma that has no other one.
 */
function memberRows(
  { kymas, manifests }: Members,
  unnamed: ReadonlyMap<string, ManifestRow>,
  all: ReadonlyMap<string, Pick<KymaRow, "leftOut">>,
): readonly ModuleUser[] {
  const rows = [...manifests.values()];
  const [highest, possible] = [highestByKyma(rows), highestByKyma(unnamed.values())];
  const strays = rows.filter((row) => !kymas.has(row.kyma) && (row.kyma === "" || highest.get(row.kyma) === row));
  return [
    ...[...kymas].map(([name, user]) => installing(user, highest.get(name) ?? possible.get(name) ?? possible.get(""))),
    ...strays.map((row) => strayRow(row, manifestKyma(row, all))),
  ];
}

function manifestKyma({ kyma: name }: ManifestRow, all: ReadonlyMap<string, Pick<KymaRow, "leftOut">>) {
  const row = all.get(name);
  return row && { name, leftOut: row.leftOut };
}

/** Of several Manifests of a Kyma, the one with the highest version counts, so that no cluster counts twice. */
function highestByKyma(rows: Iterable<ManifestRow>): ReadonlyMap<string, ManifestRow> {
  const highest = new Map<string, ManifestRow>();
  for (const row of rows) if (isAhead(row, highest.get(row.kyma))) highest.set(row.kyma, row);
  return highest;
}

/** Whether a Manifest has a higher version than another one; of equal ones, the worse state, then the first by name. */
function isAhead(row: ManifestRow, other: ManifestRow | undefined): boolean {
  if (other === undefined) return true;
  const order = compareInstalled(row.version, other.version) || manifestSeverity(row) - manifestSeverity(other);
  return order === 0 ? row.name < other.name : order > 0;
}

/** Orders installed versions. One that is missing or invalid counts as the highest, since it is not known to be low. */
function compareInstalled(a: string | undefined, b: string | undefined): number {
  const [left, right] = [a, b].map((text) => (text === undefined ? undefined : parseVersion(text)));
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return compareVersions(left, right);
}

/** One that lifecycle-manager does not reconcile hides no other; an unknown state may be a failure. */
function manifestSeverity({ condition: { leftOut, state } }: ManifestRow): number {
  return leftOut === undefined ? (SEVERITIES.get(state) ?? 3) : 0;
}

const SEVERITIES: ReadonlyMap<string | undefined, number> = new Map([
  ["Ready", 1],
  ["Processing", 2],
  ["Warning", 4],
  ["Error", 5],
]);

/**
 * A row of a Kyma with what a Manifest installs, and the time of its state if the Kyma does not say it. If the Manifest
 * names no version, lifecycle-manager installed the one in the status.
 */
function installing(user: ModuleUser, manifest: ManifestRow | undefined): ModuleUser {
  const { condition, version } = user;
  const installed = manifest && (manifest.version ?? version ?? UNKNOWN_VERSION);
  const isAlike = installed === version && manifest?.condition.state === condition.state;
  const sinceMs = condition.sinceMs ?? (isAlike ? manifest?.condition.sinceMs : undefined);
  return { ...user, installed, condition: sinceMs === condition.sinceMs ? condition : { ...condition, sinceMs } };
}

/** Values by key, each with a reading that is made again after the value was touched. */
class Changing<Value, Reading> {
  readonly #values = new Map<string, Value>();
  readonly #readings = new Map<string, Reading>();
  readonly #touched = new Map<string, Value>();
  readonly #make: () => Value;
  readonly #readOne: (value: Value) => Reading;
  readonly #isNothing: (reading: Reading) => boolean;

  constructor(make: () => Value, readOne: (value: Value) => Reading, isNothing: (reading: Reading) => boolean) {
    this.#make = make;
    this.#readOne = readOne;
    this.#isNothing = isNothing;
  }

  /** The value of `key`, which is about to change. */
  touch(key: string): Value {
    const value = this.#values.get(key) ?? this.#make();
    this.#values.set(key, value);
    this.#touched.set(key, value);
    return value;
  }

  /** The same as `touch`, for all values. */
  touchAll(): void {
    for (const [key, value] of this.#values) this.#touched.set(key, value);
  }

  /** All readings. Empty ones are omitted, and their values forgotten. */
  read(): ReadonlyMap<string, Reading> {
    for (const [key, value] of this.#touched) {
      const reading = this.#readOne(value);
      this.#readings.set(key, reading);
      if (!this.#isNothing(reading)) continue;
      this.#values.delete(key);
      this.#readings.delete(key);
    }
    this.#touched.clear();
    return new Map(this.#readings);
  }
}
