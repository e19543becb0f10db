import type { Catalogue } from "../catalogue/catalogue.ts";
import { compileTemplate } from "../catalogue/compile.ts";
import { ServedContentReader } from "../catalogue/history/servedContent.ts";
import { lookUpAtHead, lookUpInHistory, servedScope, versionKey } from "../catalogue/lookup.ts";
import { MANDATORY, parseChannelName, parseModuleName, type ModuleName } from "../catalogue/names.ts";
import { cataloguePlace } from "../catalogue/paths.ts";
import { MODULE_LABEL, specHash, type Template } from "../catalogue/template.ts";
import { parseVersion, type ModuleVersion } from "../catalogue/version.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { releaseModule, namedEntries } from "../kubernetes/releaseMeta.ts";
import { Fault, type History, type Run } from "../ports.ts";
import { type PlanInput, recordedRevision } from "./plan/input.ts";
import { knownKey } from "./plan/state.ts";
import { entriesIn, placeOfKey } from "./plan/records.ts";
import { unsettledSlices } from "./plan/slices.ts";
import { readHistories } from "../reading/histories.ts";

/** A version that is live, recorded or restored although no channel of the repository serves it here. */
interface UnservedVersion {
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** The channel of a template per channel. */
  readonly channel: string;
  /** What the records say of it. Only content that they name is taken from side branches; by default none. */
  readonly recorded?: readonly RecordedContent[] | undefined;
}

/** A content that was applied, and the commit that it was applied from. */
interface RecordedContent {
  readonly specHash: string;
  readonly commit: string | undefined;
}

/**
 * The templates, from the repository, of versions that are live or recorded although no channel serves them, by
 * `knownKey`. Leaves out versions that are not in head or history, also where the history is cut off or out of reach:
 * they are kept while they are in use, but not repaired.
 */
export async function gatherKnown(
  catalogue: Catalogue,
  input: PlanInput,
  history: History,
  run: Run,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const { target } = input.desired;
  const wanted = wantedVersions(input);
  const templates = await lookUpAll(catalogue, wanted, history, run);
  return new Map(
    wanted.flatMap((one) => {
      const { module, version, channel } = one;
      const template = templates.get(versionKey(one));
      if (template === undefined || isOther(template, one, input)) return [];
      const isMandatory = [...catalogue.channels.values()].some(
        ({ name, kind }) => name === channel && kind === "mandatory",
      );
      const compiled = compileTemplate(placed(template, channel), target, isMandatory);
      return [[knownKey(module, version, channel, target.generation), compiled] as const];
    }),
  );
}

/** Whether a module cannot be used, and a template is not what was recorded: its files may contradict one another. */
function isOther(
  template: Template,
  { module, version, channel }: UnservedVersion,
  { desired, live }: PlanInput,
): boolean {
  if (!desired.withheld.has(module)) return false;
  const records = [...entriesIn(live.records)].filter(([key]) => placeOfKey(key).module === module);
  const served = records.flatMap(([key, { current, next }]) =>
    [current, next].filter((one) => {
      const isHere =
        desired.target.generation === "version-templates" || [channel, MANDATORY].includes(placeOfKey(key).channel);
      return one?.version === version && isHere;
    }),
  );
  return !served.some((one) => one?.specHash === specHash(template.object));
}

/** A template of a version, placed in a channel. */
export function placed(template: Template, channel: string): Template {
  const { object } = template;
  return { ...template, channel: parseChannelName(channel), object: { ...object, spec: { ...object.spec, channel } } };
}

function wantedVersions(input: PlanInput): readonly UnservedVersion[] {
  const { generation } = input.desired.target;
  const slices = unsettledSlices(input);
  const served = new Set(
    slices.flatMap((slice) =>
      slice.wanted.map(({ module, version, channel }) => knownKey(module, version, channel, generation)),
    ),
  );
  const named = slices.flatMap(({ templates, meta, recorded }): readonly NamedVersion[] => [
    ...[...templates.values()].flatMap((template) => namedVersions(template, generation === "channel-templates")),
    ...(meta === undefined
      ? []
      : namedEntries(meta).map(({ channel = "", version }) => [releaseModule(meta), version, channel] as const)),
    ...[...recorded].flatMap(([key, { current }]) => {
      const { channel, module } = placeOfKey(key);
      return current === undefined ? [] : [[module, current.version, channel] as const];
    }),
  ]);
  const recorded = recordedContents(input);
  const wanted = new Map(
    named.flatMap(([moduleText, versionText, channel]) => {
      const [module, version] = [parseModuleName(moduleText), parseVersion(versionText)];
      if (module === undefined || version === undefined) return [];
      const key = knownKey(module, version, channel, generation);
      const contents = recorded.get(versionKey({ module, version }));
      return served.has(key) ? [] : [[key, { module, version, channel, recorded: contents }] as const];
    }),
  );
  return [...wanted.values()];
}

/** The contents that the records name, by `versionKey`. */
function recordedContents({ live }: PlanInput): ReadonlyMap<string, readonly RecordedContent[]> {
  const synced = recordedRevision(live.parent);
  const contents = [...entriesIn(live.records)].flatMap(([key, { current, next, previous }]) =>
    [current, next, ...previous].flatMap((one) => {
      if (one === undefined || one.specHash === "") return [];
      const { version, specHash } = one;
      return [{ key: `${placeOfKey(key).module} ${version}`, specHash, commit: one.commit ?? synced }];
    }),
  );
  return Map.groupBy(contents, ({ key }) => key);
}

type NamedVersion = readonly [module: string, version: string, channel: string];

function namedVersions(
  { metadata: { name, labels }, spec }: KubernetesObject,
  isPerChannel: boolean,
): readonly NamedVersion[] {
  const module = labels?.[MODULE_LABEL] ?? "";
  const { version = "", channel = "" } = (spec ?? {}) as { readonly version?: string; readonly channel?: string };
  return [isPerChannel ? [module, version, channel] : [module, name.slice(module.length + 1), channel]];
}

/**
 * The templates of versions, by `versionKey`: at head, or else in the history, which is read once for all of them; what was
 * recorded, but is not on the line of the branch, in all that the head and the commits of the records contain.
 */
export async function lookUpAll(
  catalogue: Catalogue,
  wanted: readonly UnservedVersion[],
  history: History,
  run: Run,
): Promise<ReadonlyMap<string, Template>> {
  const atHead = found(wanted, ({ module, version }) => lookUpAtHead(catalogue, module, version));
  const missing = wanted.filter((one) => !atHead.has(versionKey(one)));
  if (missing.length === 0) return atHead;
  const before = await lookUpOnLine(catalogue, missing, history, run);
  const lost = missing.filter((one) => one.recorded !== undefined && !isRecorded(before.get(versionKey(one)), one));
  return new Map([...atHead, ...before, ...(await lookUpRecorded(catalogue, lost, history, run))]);
}

async function lookUpOnLine(
  catalogue: Catalogue,
  missing: readonly UnservedVersion[],
  history: History,
  run: Run,
): Promise<ReadonlyMap<string, Template>> {
  const scope = servedScope([...new Set(missing.map(({ module }) => module))]);
  try {
    const { histories, cut } = await readHistories({ revision: catalogue.revision ?? "HEAD", scope }, history, run);
    const before = found(missing, ({ module, version }) => lookUpInHistory(histories.of(module).served, version));
    if (cut !== undefined && !missing.every((one) => before.has(versionKey(one)))) sayUnknown(cut, run);
    return before;
  } catch (error) {
    if (!(error instanceof Fault && OUT_OF_REACH.has(error.code))) throw error;
    sayUnknown(error, run);
    return new Map();
  }
}

/** The history is damaged, or it is not known what the branch was. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(["GIT_FAILED", "CONFIGURATION"]);

/** Finds recorded contents wherever Git has them. Their hash proves them, so it does not matter who committed them. */
async function lookUpRecorded(
  { revision }: Catalogue,
  lost: readonly UnservedVersion[],
  history: History,
  run: Run,
): Promise<ReadonlyMap<string, Template>> {
  if (lost.length === 0) return new Map();
  const commits = [revision, ...lost.flatMap(({ recorded = [] }) => recorded.map(({ commit }) => commit))];
  const { paths } = servedScope([...new Set(lost.map(({ module }) => module))]);
  const contents = await history.contents([...new Set(commits.flatMap((one) => one ?? []))], paths, run);
  return found(lost, (one) => {
    for (const { path, content } of contents) {
      const place = cataloguePlace(path);
      if (place?.kind !== "channel-template" || place.module !== one.module) continue;
      const template = new ServedContentReader(place.channel, one.module).read(path, content)?.template();
      if (template?.version === one.version && isRecorded(template, one)) return template;
    }
    return undefined;
  });
}

function isRecorded(template: Template | undefined, { recorded = [] }: UnservedVersion): boolean {
  if (template === undefined) return false;
  const hash = specHash(template.object);
  return recorded.some((one) => one.specHash === hash);
}

function sayUnknown({ message }: Fault, run: Run): void {
  run.log.warn("older versions not compared", { because: message });
}

/** The templates of the versions that `lookUp` finds. */
function found(
  wanted: readonly UnservedVersion[],
  lookUp: (one: UnservedVersion) => Template | undefined,
): ReadonlyMap<string, Template> {
  return new Map(
    wanted.flatMap((one) => {
      const template = lookUp(one);
      return template === undefined ? [] : [[versionKey(one), template] as const];
    }),
  );
}
