import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { fieldAt } from "../../document/fields.ts";
import { cataloguePlace, SETTINGS_PATH } from "../../catalogue/paths.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { Fault, type Log, type Run, type Source } from "../../ports.ts";
import { complete, type NameKind, type Names, repositoryIn } from "./complete.ts";

/** Completion must print nothing but candidates. */
const NO_LOG: Log = { info: () => undefined, warn: () => undefined, with: () => NO_LOG };

/**
 * Completes the last of `words`: a line `word<TAB>description` for each candidate, and a last line that tells the shell
 * what to do. Reads files only; a folder that cannot be read has no names.
 */
export async function completeLine(
  program: CommandUnknownOpts,
  words: readonly string[],
  open: (folder: string) => Source,
  signal: AbortSignal,
): Promise<string> {
  const names = namesIn(open(repositoryIn(words)), { signal, log: NO_LOG });
  const { candidates, then } = await complete(program, words, (kind, prefix) =>
    names(kind, prefix).catch((error: unknown) => {
      if (error instanceof Fault) return [];
      throw error;
    }),
  );
  const lines = candidates.map(({ word, description }) => `${word}\t${firstClause(description)}\n`);
  return `${lines.join("")}:${then}\n`;
}

/** The first clause of a description, to fit into a line of a list. */
function firstClause(description: string): string {
  return description
    .split(/[.:;,] /, 1)
    .join()
    .replace(/\.$/, "");
}

/** The names in the files of a catalogue, which may be broken. Reads only the files that hold names. */
function namesIn(source: Source, run: Run): Names {
  const paths = async (): Promise<readonly string[]> => {
    const seen: string[] = [];
    await source.snapshot((path) => seen.push(path) < 0, run);
    return seen;
  };
  const valuesAt = async (wants: (path: string) => boolean): Promise<readonly unknown[]> =>
    [...(await source.snapshot(wants, run)).files].map(([path, content]) => {
      const reading = readYaml(path, content);
      return reading.kind === "read" ? reading.file.value : undefined;
    });
  const modules = async (): Promise<readonly string[]> =>
    distinct((await paths()).map((path) => completedField(path, "module")));
  const landscapes = async (): Promise<readonly string[]> => {
    const [settings] = await valuesAt((path) => path === SETTINGS_PATH);
    const listed = fieldAt(settings, ["landscapes"]);
    return distinct(Array.isArray(listed) ? listed.map((one) => fieldAt(one, ["name"])) : []);
  };
  const at = async (prefix: string, whole: () => Promise<readonly string[]>): Promise<readonly string[]> =>
    prefix.includes("@") ? completedVersions(prefix.slice(0, prefix.indexOf("@")), await paths(), valuesAt) : whole();
  const begun = async (): Promise<readonly string[]> => (await modules()).map((module) => `${module}@`);
  const names: Readonly<Record<NameKind, (prefix: string) => Promise<readonly string[]>>> = {
    channel: async () => distinct((await paths()).map((path) => completedField(path, "channel"))),
    module: modules,
    "module[@version]": (prefix) => at(prefix, modules),
    "module@version": (prefix) => at(prefix, begun),
    landscape: landscapes,
    "landscape|module@version|module@channel": (prefix) =>
      at(prefix, async () => [...(await landscapes()), ...(await begun())]),
    rule: async () => (await import("../../check/rules.ts")).RULES.map(({ id }) => id),
  };
  return (kind, prefix) => names[kind](prefix);
}

/** The versions of a module that channels serve, or that have a folder. */
async function completedVersions(
  module: string,
  paths: readonly string[],
  valuesAt: (wants: (path: string) => boolean) => Promise<readonly unknown[]>,
): Promise<readonly string[]> {
  const served = await valuesAt((path) => {
    const place = cataloguePlace(path);
    return place?.kind === "channel-template" && place.module === module;
  });
  const folders = paths.map((path) => new RegExp("^modules/([^/]+)/([^/]+)/").exec(path));
  const inFolders = folders.flatMap((match) => (match?.[1] === module ? [match[2]] : []));
  const versions = [...served.map((value) => fieldAt(value, ["spec", "version"])), ...inFolders];
  return distinct(versions.map((version) => `${module}@${String(version)}`));
}

function completedField(path: string, field: "channel" | "module"): string | undefined {
  const place = cataloguePlace(path);
  return place !== undefined && field in place ? String(fieldAt(place, [field])) : undefined;
}

function distinct(names: readonly unknown[]): readonly string[] {
  return [...new Set(names.filter((name) => typeof name === "string"))].sort();
}
