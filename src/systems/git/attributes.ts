import { mkdtemp, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import type { ConvertedFile } from "../../document/snapshot.ts";
import type { Run } from "../../ports.ts";
import { directorySource, isWithinRoots } from "../files/files.ts";
import { SUBMODULE } from "./link.ts";
import type { Repository } from "./repository.ts";

/** The attributes by which a checkout shows other bytes than Git has. Source: gitattributes(5); `crlf` is an old `text`. */
const CONVERTING = ["working-tree-encoding", "ident", "eol", "filter", "text", "crlf"];

/** The values of an attribute that converts nothing. */
const NOTHING = new Set(["unspecified", "unset"]);

/** Attributes are those of the repository, not of this user. */
const ASK = ["-c", `core.attributesFile=${devNull}`, "check-attr", "-z", "--stdin"];

/**
 * The files of a catalogue that an attribute converts: those of `commit`, by the attributes of `commit`; without one,
 * those of the working tree, none outside of Git. Throws GIT_FAILED.
 */
export async function convertedFiles(
  repository: Repository,
  commit: string | undefined,
  run: Run,
): Promise<readonly ConvertedFile[]> {
  const git = repository.with({ GIT_ATTR_NOSYSTEM: "1" });
  if (commit === undefined) {
    const paths: string[] = [];
    await directorySource(repository.directory).snapshot((path) => paths.push(path) < 0, run);
    const isOutside = (await repository.head(run)) === undefined;
    return converted(git, paths, { args: [], accepted: isOutside ? [128] : [] }, run);
  }
  const tree = await git.fields(["ls-tree", "-r", "-z", "--full-tree", commit], run);
  const own = tree.filter((line) => /[\t/]\.gitattributes$/.test(line) && !line.startsWith(SUBMODULE));
  if (own.length === 0) return [];
  const prefix = `\t${await repository.prefix(run)}`;
  const paths = tree.map((line) => line.slice(line.indexOf("\t")));
  const inside = paths.flatMap((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : []));
  // Git before 2.40 reads attributes of a commit only from an index. This one has nothing else.
  const folder = await mkdtemp(join(tmpdir(), "kyma-modules-attributes-"));
  try {
    const indexed = git.with({ GIT_INDEX_FILE: join(folder, "index") });
    const write = ["-c", "core.splitIndex=false", "update-index", "-z", "--index-info"];
    await indexed.git(write, run, { input: zeroEnded(own) });
    return await converted(indexed, inside, { args: ["--cached"] }, run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function converted(
  git: Repository,
  paths: readonly string[],
  { args, accepted = [] }: { readonly args: readonly string[]; readonly accepted?: readonly number[] },
  run: Run,
): Promise<readonly ConvertedFile[]> {
  const wanted = paths.filter(isWithinRoots);
  if (wanted.length === 0) return [];
  const fields = await git.fields([...ASK, ...args, ...CONVERTING], run, { input: zeroEnded(wanted), accepted });
  // Each answer is a path, an attribute and its value.
  const answers = Array.from({ length: fields.length / 3 }, (_, index) => fields.slice(index * 3, index * 3 + 3));
  const binary = new Set(answers.flatMap(([path, ...rest]) => (rest.join() === "text,unset" ? path : [])));
  return answers.flatMap(([path = "", name = "", value = ""]) => {
    // Git does not look at `eol` of a file that is no text.
    const isIdle = NOTHING.has(value) || (name === "eol" && binary.has(path));
    return isIdle ? [] : [{ path, attribute: value === "set" ? name : `${name}=${value}` }];
  });
}

function zeroEnded(lines: readonly string[]): string {
  return lines.map((line) => `${line}\0`).join("");
}
