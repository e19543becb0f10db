import type { Catalogue } from "../catalogue/catalogue.ts";
import { pathName } from "../catalogue/commands.ts";
import { type Histories } from "../catalogue/history/moduleHistory.ts";
import { inputAt, inputsFolder } from "../catalogue/inputs.ts";
import { allTemplates, servedModules, servedScope, unservedText, versionKey } from "../catalogue/lookup.ts";
import { isOfCatalogue } from "../catalogue/paths.ts";
import type { Finding } from "../document/finding.ts";
import type { SnapshotFile } from "../document/snapshot.ts";
import { Fault, type Clock, type History, type Run, type Source } from "../ports.ts";
import { type Chosen, smokeMatrix } from "./matrix.ts";
import type { SmokePath } from "./path.ts";
import { readWholeHistories } from "../reading/histories.ts";
import { catalogueAt } from "../reading/catalogue.ts";

/** The input of `gatherSmoke`. */
interface SmokeQuestion {
  readonly head: Source;
  /** The source in service; `undefined` if nothing is compared. */
  readonly base: Source | undefined;
  readonly history: History;
  readonly clock: Clock;
  readonly chosen: Chosen;
  /** The names of the wanted paths; empty for all paths. */
  readonly only: readonly string[];
}

/** The catalogues, and the paths that follow from them. */
export interface GatheredSmoke {
  readonly kind: "gathered";
  readonly head: Catalogue;
  readonly base: Catalogue;
  /** The files below `modules/`: those of the head, and those of the base for versions that the head does not serve. */
  readonly files: ReadonlyMap<string, SnapshotFile>;
  readonly paths: readonly SmokePath[];
  /** The versions (`<module> <version>`) that cannot be tested, since a change brings only build inputs of them. */
  readonly untested: readonly string[];
}

/** A repository that cannot be read. */
interface UnreadableSides {
  readonly kind: "unreadable";
  readonly findings: readonly Finding[];
}

/** Reads a repository, and works out the paths. Throws CONFIGURATION for unknown modules and paths. */
export async function gatherSmoke(question: SmokeQuestion, run: Run): Promise<GatheredSmoke | UnreadableSides> {
  const head = await readSide(question.head, run);
  if (head.kind === "unreadable") return head;
  const base = question.base === undefined ? head : await readSide(question.base, run);
  if (base.kind === "unreadable") return base;
  const { chosen, only, clock } = question;
  if (chosen.kind === "named") {
    const served: readonly string[] = servedModules(head.catalogue);
    const unknown = chosen.modules.find((module) => !served.includes(module));
    if (unknown !== undefined) throw new Fault("CONFIGURATION", unservedText(unknown, served));
  }
  const histories = await historiesIn(base.catalogue, head.catalogue, question.history, run);
  const all = smokeMatrix({
    head: head.catalogue,
    base: base.catalogue,
    servedOf: (module) => histories.of(module).served,
    ...{ chosen, only },
    nowMs: clock.nowMs(),
  });
  const files = smokeInputs(head, base);
  const untested = chosen.kind === "changed" ? withoutTemplate([...chosen.paths], head) : [];
  return { kind: "gathered", head: head.catalogue, base: base.catalogue, files, paths: onlyThose(only, all), untested };
}

/** The versions with a changed build input that have no template. */
function withoutTemplate(changed: readonly string[], { catalogue, files }: SmokeSide): readonly string[] {
  const known = new Set(allTemplates(catalogue).map(versionKey));
  const versions = changed.flatMap((path) => {
    const input = files.has(path) ? inputAt(path) : undefined;
    return input === undefined ? [] : [`${input.module} ${input.version}`];
  });
  return [...new Set(versions)].filter((version) => !known.has(version));
}

/** A file that a change removes from a version that it serves is gone, although the base still has it. */
function smokeInputs(head: SmokeSide, base: SmokeSide): GatheredSmoke["files"] {
  const served = [...head.catalogue.channels.values()].flatMap(({ templates }) => [...templates.values()]);
  const folders = served.map(({ module, version }) => inputsFolder(module, version));
  const before = [...base.files].filter(([path]) => !folders.some((folder) => path.startsWith(folder)));
  return new Map([...before, ...head.files]);
}

function onlyThose(names: readonly string[], all: readonly SmokePath[]): readonly SmokePath[] {
  const known = all.map(pathName);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Fault("CONFIGURATION", `There is no path ${unknown}. The paths are: ${known.join(", ") || "none"}.`);
  return names.length === 0 ? all : all.filter((path) => names.includes(pathName(path)));
}

/** The histories of the channels of the base, which a change cannot forge. Throws HISTORY_TOO_SHALLOW. */
async function historiesIn(base: Catalogue, head: Catalogue, history: History, run: Run): Promise<Histories> {
  const scope = servedScope(servedModules(head));
  const { histories } = await readWholeHistories({ revision: base.revision ?? "HEAD", scope }, history, run);
  return histories;
}

/** A catalogue, and the build inputs of its versions. */
interface SmokeSide {
  readonly kind: "side";
  readonly catalogue: Catalogue;
  readonly files: ReadonlyMap<string, SnapshotFile>;
}

/** Reads one revision. */
export async function readSide(source: Source, run: Run): Promise<SmokeSide | UnreadableSides> {
  const wants = (path: string): boolean => isOfCatalogue(path) || isInput(path);
  const { files, findings, usable } = await catalogueAt(source, run, wants);
  if (usable === undefined) return { kind: "unreadable", findings };
  return { kind: "side", catalogue: usable, files: new Map([...files].filter(([path]) => isInput(path))) };
}

/** Whether a file is a build input: YAML below `modules/<module>/<version>/`. */
function isInput(path: string): boolean {
  return /^modules\/[^/]+\/[^/]+\/.+\.ya?ml$/.test(path);
}
