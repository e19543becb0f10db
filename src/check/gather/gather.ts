import {
  inputAt,
  type Inputs,
  inputsFolder,
  localManifest,
  readInputs,
  templatesOfInputs,
} from "../../catalogue/inputs.ts";
import { allTemplates, servedScope, versionKey } from "../../catalogue/lookup.ts";
import type { Manifest } from "../../kubernetes/manifest.ts";
import type { Catalogue, Channel } from "../../catalogue/catalogue.ts";
import type { Template } from "../../catalogue/template.ts";
import { parseModuleName, type ModuleName } from "../../catalogue/names.ts";
import { channelFilePath, cataloguePlace, policyPath } from "../../catalogue/paths.ts";
import { isBroken } from "../../document/finding.ts";
import type { Clock, History, Run, Source, Validator } from "../../ports.ts";
import type { Context } from "../context.ts";
import { type Fact, type Facts, NOT_GATHERED, type People } from "../facts.ts";
import { gatherCustomResources } from "./customResources.ts";
import { gatherOutside, type Outside } from "./outside.ts";
import { type AskUnearned, gatherUnearned, TOO_SHALLOW } from "./unearned.ts";
import type { Loaded } from "../load.ts";
import type { ConvertedFiles } from "../../document/snapshot.ts";
import type { FactName } from "../required.ts";
import type { VersionSubject } from "../subject.ts";
import { touchedVersions } from "../touched.ts";
import { readHistories } from "../../reading/histories.ts";

/** The ports of `check`. */
export interface CheckWorld {
  readonly clock: Clock;
  readonly validator: Validator;
  readonly history: History;
  /** Finds versions that have not earned the following channel that they enter; absent if promotion cannot be asked. */
  readonly unearned?: AskUnearned;
  /** Registry, releases, links and API server. */
  readonly outside: Outside;
}

/** A world with a worker, and perhaps a control plane, that must be closed. */
export interface OpenCheckWorld extends CheckWorld {
  /** Stops the worker and the control plane. Can be called again. */
  close(): Promise<void>;
}

/** The sources of a change, its people, and the facts that must be known. */
interface Gathering {
  readonly head: Source;
  readonly base: Source | undefined;
  readonly paths: readonly string[] | undefined;
  readonly people: People;
  readonly converted?: ConvertedFiles;
  readonly aside?: string | undefined;
  readonly folder?: string;
  readonly loose?: boolean;
  readonly required: readonly FactName[];
}

/** Gathers all facts that rules may need, and gives the context of the rules. */
export async function gather(loaded: Loaded, gathering: Gathering, world: CheckWorld, run: Run): Promise<Context> {
  const { head, templates, unread, misplaced } = loaded;
  const lost = loaded.base === undefined ? [] : brokenEntries(loaded.base);
  const judged = [...templates, ...loaded.steps, ...loaded.folders];
  const modules = new Set([...judged.map(({ module }) => module), ...lost]);
  const touched = touchedVersions({ base: loaded.base, paths: gathering.paths });
  const recorded = new Set([...modules, ...touched.map(({ module }) => module)]);
  const history = await gatherHistory(loaded, [...recorded], world.history, run);
  const base = loaded.base && withLastServed(loaded.base, head, history);
  const steps = base === undefined || base === loaded.base ? loaded.steps : loaded.stepsFrom(base);
  const served = base === undefined ? [] : allTemplates(base).filter(({ module }) => modules.has(module));
  // Versions that the base serves are read from the base, so that a change cannot make an old version look different.
  const [inputs, servedInputs] = await Promise.all([
    gatherInputs(gathering.head, [...allTemplates(head), ...touched, ...loaded.folders], run),
    gathering.base === undefined
      ? new Map<string, Inputs>()
      : gatherInputs(gathering.base, [...served, ...touched.filter((version) => wasServed(version, history))], run),
  ]);
  const outside = await gatherOutside({ ...loaded, served, inputs, servedInputs }, world.outside, run);
  const manifests = allManifests(inputs, outside.manifests);
  const servedManifests = allManifests(servedInputs, outside.manifests);
  const folders = standIns(loaded.folders, inputs, history);
  const customResources = await gatherCustomResources(
    { templates: [...templates, ...folders], served, manifests, servedManifests, inputs, servedInputs },
    world.validator,
    run,
  );
  const { findings, codeowners, teamsFile } = loaded;
  const facts: Facts = {
    history,
    unearned: NOT_GATHERED,
    customResources,
    codeowners,
    teamsFile,
    folder: gathering.folder ?? "",
    converted: gathering.converted ?? { head: [], base: [] },
    aside: gathering.aside,
    people: gathering.people,
    inputs,
    servedInputs,
    ...outside,
    manifests,
    servedManifests,
  };
  const nowMs = world.clock.nowMs();
  const { paths, required, loose: isLoose = false } = gathering;
  const judging = { templates, folders, misplaced, steps, paths, unread };
  const context = { head, base, ...judging, findings, facts, required, isLoose, nowMs };
  return { ...context, facts: { ...facts, unearned: await gatherUnearned(context, world.unearned, run) } };
}

/** Reads the history up to the base, so that a change cannot forge it; up to HEAD without a base. */
async function gatherHistory(
  { head, base }: Loaded,
  modules: readonly ModuleName[],
  history: History,
  run: Run,
): Promise<Facts["history"]> {
  // A folder without channels need not be a repository.
  const scope = servedScope(base === undefined && head.channels.size === 0 ? [] : modules);
  const request = { revision: base?.revision ?? "HEAD", scope, templates: allTemplates(head) };
  const { histories, cut } = await readHistories(request, history, run);
  if (cut !== undefined) return TOO_SHALLOW;
  return { kind: "known", value: new Map(modules.map((module) => [module, histories.of(module).served])) };
}

/** Stand-ins for the templates of the versions of which there are only inputs; none of a version that was ever served. */
function standIns(
  versions: readonly VersionSubject[],
  inputs: ReadonlyMap<string, Inputs>,
  history: Facts["history"],
): readonly Template[] {
  const unserved = versions.filter((version) => !wasServed(version, history));
  const known = new Map(unserved.map((version) => [versionKey(version), version]));
  return [...inputs].flatMap(([key, own]) => {
    const version = known.get(key);
    return version === undefined ? [] : templatesOfInputs(own, version);
  });
}

/** Whether a channel is known to have served a version. */
function wasServed({ module, version }: VersionSubject, history: Facts["history"]): boolean {
  const served = history.kind === "known" ? history.value.get(module) : undefined;
  return [...(served?.values() ?? [])].flat().some((state) => state.version === version);
}

/** The build inputs of `versions` in the repository. Keys: `versionKey`. */
async function gatherInputs(
  source: Source,
  versions: readonly VersionSubject[],
  run: Run,
): Promise<ReadonlyMap<string, Inputs>> {
  const wanted = new Map(versions.map((template) => [versionKey(template), template]));
  const folders = new Set([...wanted.values()].map(({ module, version }) => inputsFolder(module, version)));
  const { files } = await source.snapshot((path) => {
    const input = /\.ya?ml$/.test(path) ? inputAt(path) : undefined;
    return input !== undefined && folders.has(inputsFolder(input.module, input.version));
  }, run);
  return new Map([...wanted].map(([key, { module, version }]) => [key, readInputs(files, module, version)]));
}

const NOT_LOCAL: Fact<never> = { kind: "unknown", why: "its manifest is not in the repository" };

/** The manifests in the repository, and for the other versions those of external systems. */
function allManifests(
  inputs: ReadonlyMap<string, Inputs>,
  remote: ReadonlyMap<string, Fact<Manifest>>,
): ReadonlyMap<string, Fact<Manifest>> {
  const local = [...inputs].map(([key, own]): [string, Fact<Manifest>] => {
    const value = localManifest(own);
    return [key, value === undefined ? (remote.get(key) ?? NOT_LOCAL) : { kind: "known", value }];
  });
  return new Map([...remote, ...local]);
}

/** The modules of the channel files that cannot be read. */
function brokenEntries({ findings }: Catalogue): readonly ModuleName[] {
  return findings.flatMap(({ file }) => {
    const place = cataloguePlace(file);
    const isEntry = place?.kind === "channel-template" && isBroken({ findings }, file);
    return isEntry ? (parseModuleName(place.module) ?? []) : [];
  });
}

/**
 * The base as its clusters have it: an entry whose file, or the policy of whose channel, cannot be read is the one that
 * the channel served last. A channel with such a policy is taken from the head. An unknown history restores nothing.
 */
export function withLastServed(base: Catalogue, head: Catalogue, history: Facts["history"]): Catalogue {
  if (history.kind === "unknown" || base.findings.length === 0) return base;
  const restored = ({ name, templates }: Channel): Channel["templates"] => {
    const lost = [...history.value].flatMap(([module, served]) => {
      const isLost = [channelFilePath(name, module), policyPath(name)].some((path) => isBroken(base, path));
      const template = isLost ? served.get(name)?.at(-1)?.template() : undefined;
      return template === undefined ? [] : [[module, template] as const];
    });
    return new Map([...lost, ...templates]);
  };
  const unruled = [...head.channels.values()].filter(({ name }) => isBroken(base, policyPath(name)));
  const channels = [...unruled.map((channel) => ({ ...channel, templates: new Map() })), ...base.channels.values()];
  return {
    ...base,
    channels: new Map(channels.map((channel) => [channel.name, { ...channel, templates: restored(channel) }])),
  };
}
