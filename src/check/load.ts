import type { Catalogue } from "../catalogue/catalogue.ts";
import { CODEOWNERS_PATH } from "../catalogue/codeowners.ts";
import type { Finding } from "../document/finding.ts";
import { allTemplates } from "../catalogue/lookup.ts";
import { parse } from "../catalogue/parse.ts";
import { channelFilePath, placeOf } from "../catalogue/paths.ts";
import { readLooseFile } from "../catalogue/looseTemplate.ts";
import { readSettings } from "../catalogue/settings.ts";
import { fileText, type SnapshotFile } from "../document/snapshot.ts";
import type { Template } from "../catalogue/template.ts";
import { inputAt, inputsFolder } from "../catalogue/inputs.ts";
import type { Run, Source } from "../ports.ts";
import { TEAMS_PATH } from "./authority.ts";
import { stepsBetween, type CatalogueFiles, type Step } from "./context.ts";
import { EVERYTHING, scopeOf, type CheckScope } from "./scope.ts";

/** A change to judge: the head, what it is compared with, and the paths that count. */
export interface CheckedChange {
  readonly head: Source;
  readonly base: Source | undefined;
  /** Changed or named files and folders; `undefined` for the whole repository. */
  readonly paths: readonly string[] | undefined;
  /** Whether the head holds raw templates outside of a catalogue, whatever they are called. */
  readonly loose?: boolean;
}

/** What head and base say of the modules that a change is about. */
export interface Loaded {
  readonly head: Catalogue;
  readonly base: Catalogue | undefined;
  readonly templates: readonly Template[];
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
  readonly codeowners: string | undefined;
  readonly teamsFile: SnapshotFile | undefined;
  /** How many files were held against the rules. */
  readonly files: number;
}

/**
 * Reads what a change is about, and no more: of a catalogue of ten thousand files a bump needs five. Beside them stand
 * the modules whose manifests the repository holds: whether two modules claim one object cannot be told from one alone.
 */
export async function load(change: CheckedChange, run: Run): Promise<Loaded> {
  return change.loose === true ? loadLoose(change.head, run) : loadCatalogue(change, run);
}

async function loadCatalogue({ head: source, base: baseSource, paths }: CheckedChange, run: Run): Promise<Loaded> {
  const scope = paths === undefined ? EVERYTHING : scopeOf(paths);
  const { inputs, neighbours } = await lookAround(source, run);
  const wants = wantedBy(scope, neighbours);
  const head = await source.snapshot(wants, run);
  const base = await baseSource?.snapshot(wants, run);
  const after = read(head.revision, head.files);
  const before = base && read(base.revision, base.files);
  return {
    head: after.catalogue,
    base: before?.catalogue,
    templates: judgedTemplates(after.catalogue, scope),
    steps:
      before === undefined
        ? []
        : stepsInScope(before.catalogue, { ...after, paths: new Set(head.files.keys()) }, scope),
    findings: newFindings(after.findings, before?.findings, scope),
    codeowners: fileText(head.files.get(CODEOWNERS_PATH)),
    teamsFile: head.files.get(TEAMS_PATH),
    files: [...new Set([...head.files.keys(), ...inputs])].filter((path) => scope.has(path)).length,
  };
}

/** Everything that loose files hold, beside a catalogue that says nothing. */
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
    },
    base: undefined,
    templates: readings.flatMap(({ templates }) => templates),
    steps: [],
    findings: readings.flatMap(({ findings }) => findings),
    codeowners: undefined,
    teamsFile: undefined,
    files: files.size,
  };
}

/** Every `module.yaml`, since all of them together say who owns what; of the rest only what the change is about. */
function wantedBy({ modules }: CheckScope, neighbours: ReadonlySet<string>): (path: string) => boolean {
  return (path) => {
    const place = placeOf(path);
    if (place === undefined) return path === CODEOWNERS_PATH || path === TEAMS_PATH;
    if (modules === undefined || !("module" in place) || place.kind === "module") return true;
    return modules.has(place.module) || (place.kind === "channel-template" && neighbours.has(place.module));
  };
}

/** What versions are built from, and the modules that a change of another one can concern. */
interface Surroundings {
  readonly inputs: ReadonlySet<string>;
  /** Those whose manifests lie in the repository, and those that require what others serve. */
  readonly neighbours: ReadonlySet<string>;
}

async function lookAround(source: Source, run: Run): Promise<Surroundings> {
  const inputs = new Set<string>();
  const { files } = await source.snapshot((path) => {
    if (inputAt(path) !== undefined) inputs.add(path);
    return placeOf(path)?.kind === "module";
  }, run);
  const { modules } = read(undefined, files).catalogue;
  const neighbours = new Set([...inputs].flatMap((path) => inputAt(path)?.module ?? []));
  for (const { name, says } of modules.values()) if (says.requires !== undefined) neighbours.add(name);
  return { inputs, neighbours };
}

function read(revision: string | undefined, files: ReadonlyMap<string, SnapshotFile>): Reading {
  const parsing = parse(revision, files);
  const catalogue = parsing.kind === "refused" ? parsing.readable : parsing.catalogue;
  return { catalogue, findings: catalogue.findings };
}

interface Reading {
  readonly catalogue: Catalogue;
  readonly findings: readonly Finding[];
}

function judgedTemplates(head: Catalogue, scope: CheckScope): readonly Template[] {
  return allTemplates(head).filter(
    ({ file, module, version }) =>
      scope.isAboutAll || scope.has(file.path) || scope.touches(inputsFolder(module, version)),
  );
}

function stepsInScope(base: Catalogue, head: CatalogueFiles, scope: CheckScope): readonly Step[] {
  return stepsBetween(base, head).filter(({ channel, module }) => scope.has(channelFilePath(channel.name, module)));
}

/** What is wrong in the files that count, and what the change brought about elsewhere. */
function newFindings(
  head: readonly Finding[],
  base: readonly Finding[] | undefined,
  scope: CheckScope,
): readonly Finding[] {
  const known = base && new Set(base.map(identity));
  return head.filter((finding) => scope.has(finding.file) || known?.has(identity(finding)) === false);
}

function identity({ rule, file, message }: Finding): string {
  return JSON.stringify([rule, file, message]);
}
