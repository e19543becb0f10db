import type { Catalogue } from "../catalogue/catalogue.ts";
import { CODEOWNERS_PATH, TEAMS_PATH } from "../catalogue/codeowners.ts";
import { findingKey, isBroken, type Finding } from "../document/finding.ts";
import { allTemplates, versionKey } from "../catalogue/lookup.ts";
import { parseModuleName } from "../catalogue/names.ts";
import { channelFilePath, modulePath, cataloguePlace, policyPath, SETTINGS_PATH } from "../catalogue/paths.ts";
import { readLooseFile } from "../catalogue/looseTemplate.ts";
import { readSettings } from "../catalogue/settings.ts";
import { type ConvertedFiles, fileText, type SnapshotFile } from "../document/snapshot.ts";
import type { Template } from "../catalogue/template.ts";
import { parseVersion } from "../catalogue/version.ts";
import { inputAt, inputsFolder } from "../catalogue/inputs.ts";
import type { Run, Source } from "../ports.ts";
import { stepsBetween, type ChannelStep } from "./context.ts";
import { EVERYTHING, checkScope, type CheckScope } from "./scope.ts";
import type { VersionSubject } from "./subject.ts";
import { catalogueAt, type CatalogueReading } from "../reading/catalogue.ts";

/** A change to judge: its head, its base, and the paths that count. */
export interface CheckedChange {
  readonly head: Source;
  readonly base: Source | undefined;
  /** Changed or named files and folders; `undefined` for the whole repository. */
  readonly paths: readonly string[] | undefined;
  /** The files of head and base that an attribute of Git converts; none by default. */
  readonly converted?: ConvertedFiles;
  /** The fork point, if the head has it as a branch that it merged; `undefined`, by default, if it does not. */
  readonly aside?: string | undefined;
  /** Whether the head contains raw templates outside a catalogue, with any file name. */
  readonly loose?: boolean;
}

/** Head and base, as far as a change concerns them, and what is judged in them. */
export interface Loaded {
  readonly head: Catalogue;
  readonly base: Catalogue | undefined;
  readonly templates: readonly Template[];
  readonly steps: readonly ChannelStep[];
  /** The steps that the change makes from another state of the base. */
  readonly stepsFrom: (base: Catalogue) => readonly ChannelStep[];
  readonly findings: readonly Finding[];
  /** The channels of which not all files were read, because the change does not concern them. */
  readonly unread: ReadonlySet<string>;
  readonly codeowners: string | undefined;
  readonly teamsFile: SnapshotFile | undefined;
  /** The versions of which there are only build inputs, among those to judge. */
  readonly folders: readonly VersionSubject[];
  /** Build inputs to judge in a folder that is not named after a module and a version. */
  readonly misplaced: readonly string[];
  /** The number of files that the rules judged. */
  readonly files: number;
}

/**
 * Reads only what a change concerns: of a catalogue of ten thousand files, a bump needs five. Also reads the modules
 * whose manifests are in the repository, since two modules that claim the same object cannot be found otherwise.
 */
export async function load(change: CheckedChange, run: Run): Promise<Loaded> {
  return change.loose === true ? loadLoose(change.head, run) : loadCatalogue(change, run);
}

async function loadCatalogue({ head: source, base: baseSource, paths }: CheckedChange, run: Run): Promise<Loaded> {
  const scope = paths === undefined ? EVERYTHING : checkScope(paths);
  const { inputs, neighbours, channelFiles } = await lookAround(source, run);
  const wants = wantedBy(scope, neighbours);
  const head = await catalogueAt(source, run, wants);
  const base = baseSource && (await catalogueAt(baseSource, run, wants));
  const { readable: catalogue } = head;
  const stepsFrom = (from: Catalogue): readonly ChannelStep[] =>
    stepsBetween(from, { catalogue, paths: new Set(head.files.keys()) }).filter(({ channel, module }) =>
      scope.has(channelFilePath(channel.name, module)),
    );
  const templates = allTemplates(catalogue).filter(
    ({ file, module, version }) =>
      scope.isAboutAll || scope.has(file.path) || scope.touches(inputsFolder(module, version)),
  );
  const broken = brokenBases(head, [...head.files.keys(), ...(base?.files.keys() ?? [])].filter(scope.has));
  return {
    head: catalogue,
    base: base?.readable,
    templates,
    ...withoutTemplate(catalogue, inputs, scope),
    steps: base === undefined ? [] : stepsFrom(base.readable),
    stepsFrom,
    findings: newFindings(head.findings, base?.findings, (path) => scope.has(path) || broken.has(path)),
    unread: new Set([...channelFiles].flatMap(([path, channel]) => (wants(path) ? [] : [channel]))),
    codeowners: fileText(head.files.get(CODEOWNERS_PATH)),
    teamsFile: head.files.get(TEAMS_PATH),
    files: [...new Set([...head.files.keys(), ...inputs])].filter((path) => scope.has(path)).length,
  };
}

/** Reads loose files, with an empty catalogue beside them. */
async function loadLoose(source: Source, run: Run): Promise<Loaded> {
  const { files } = await source.snapshot(() => true, run);
  const readings = [...files].map(([path, content]) => readLooseFile(path, content));
  return {
    head: {
      revision: undefined,
      settings: readSettings({ landscapes: [] }),
      channels: new Map(),
      modules: new Map(),
      findings: [],
      withheld: new Set(),
      withheldChannels: new Map(),
    },
    base: undefined,
    templates: readings.flatMap(({ templates }) => templates),
    steps: [],
    stepsFrom: () => [],
    folders: [],
    misplaced: [],
    findings: readings.flatMap(({ findings }) => findings),
    unread: new Set(),
    codeowners: undefined,
    teamsFile: undefined,
    files: files.size,
  };
}

/** The names of build inputs that nothing else has. */
const NAMED_INPUTS = /^[^/]*\/[^/]*\/[^/]*\/(?:manifest|module-config)\.yaml$/;

/** The folders to judge that no template belongs to. */
function withoutTemplate(
  catalogue: Catalogue,
  inputs: ReadonlySet<string>,
  scope: CheckScope,
): Pick<Loaded, "folders" | "misplaced"> {
  const known = new Set(allTemplates(catalogue).map(versionKey));
  const folders = new Map<string, VersionSubject>();
  const misplaced: string[] = [];
  for (const path of inputs) {
    const { module: first = "", version: second = "" } = inputAt(path) ?? {};
    if (!scope.isAboutAll && !scope.touches(inputsFolder(first, second))) continue;
    const [module, version] = [parseModuleName(first), parseVersion(second)];
    if (module !== undefined && version !== undefined)
      folders.set(versionKey({ module, version }), { module, version });
    else if (NAMED_INPUTS.test(path)) misplaced.push(path);
  }
  return { folders: [...folders].flatMap(([key, folder]) => (known.has(key) ? [] : folder)), misplaced };
}

/** Selects every `module.yaml`, since ownership depends on all of them, and otherwise only what the change concerns. */
function wantedBy({ modules }: CheckScope, neighbours: ReadonlySet<string>): (path: string) => boolean {
  return (path) => {
    const place = cataloguePlace(path);
    if (place === undefined) return path === CODEOWNERS_PATH || path === TEAMS_PATH;
    if (modules === undefined || !("module" in place) || place.kind === "module") return true;
    return modules.has(place.module) || (place.kind === "channel-template" && neighbours.has(place.module));
  };
}

/** Build inputs, and the modules that a change of another module can concern. */
interface Surroundings {
  readonly inputs: ReadonlySet<string>;
  /** Modules whose manifests are in the repository, and modules that require APIs of others. */
  readonly neighbours: ReadonlySet<string>;
  /** The channel of each channel file, by its path. */
  readonly channelFiles: ReadonlyMap<string, string>;
}

async function lookAround(source: Source, run: Run): Promise<Surroundings> {
  const inputs = new Set<string>();
  const channelFiles = new Map<string, string>();
  const { readable } = await catalogueAt(source, run, (path) => {
    if (inputAt(path) !== undefined) inputs.add(path);
    const place = cataloguePlace(path);
    if (place?.kind === "channel-template") channelFiles.set(path, place.channel);
    return place?.kind === "module";
  });
  const neighbours = new Set([...inputs].flatMap((path) => inputAt(path)?.module ?? []));
  for (const { name, says } of readable.modules.values()) if (says.requires !== undefined) neighbours.add(name);
  return { inputs, neighbours, channelFiles };
}

/**
 * The unreadable files without which the files at `paths` cannot be judged: the settings, policies and `module.yaml`s
 * that decide about them. No template of a channel without a policy is read, so that silence would be no approval.
 */
function brokenBases(reading: CatalogueReading, paths: readonly string[]): ReadonlySet<string> {
  const bases = paths.flatMap((path) => {
    const place = cataloguePlace(path);
    const policy = place && "channel" in place ? [policyPath(place.channel)] : [];
    return [SETTINGS_PATH, ...policy, ...(place && "module" in place ? [modulePath(place.module)] : [])];
  });
  return new Set(bases.filter((path) => isBroken(reading, path)));
}

/** Findings in the files that count, and findings that the change causes elsewhere. */
function newFindings(
  head: readonly Finding[],
  base: readonly Finding[] | undefined,
  counts: CheckScope["has"],
): readonly Finding[] {
  const known = base && new Set(base.map(findingKey));
  return head.filter((finding) => counts(finding.file) || known?.has(findingKey(finding)) === false);
}
