import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { REGULAR_POLICY } from "../../src/check/example.ts";
import { ranOn } from "../promote/smokePaths.ts";
import { bareRepository, configure, emptyFolder, emptyRepository, type Folder } from "../systems/repository.ts";
import { kymaIn, POLICY, redate, siteOf, submit } from "./promoting.ts";
import type { Ended } from "./program.ts";
import { hashOfSample } from "./reading.ts";

/** A catalogue whose regular needs smoke tests, and the bare repository that it is pushed to. */
export interface SharedSite {
  readonly site: Folder;
  readonly bare: Folder;
}

/** Fast serves `sample` 1.1.0 since `days`, and regular 1.0.0. */
export function sharedSite(days: number): SharedSite {
  const bare = bareRepository();
  const site = siteOf({ [REGULAR_POLICY]: POLICY.replace("  merge", "  needs: [smoke]\n  merge") }, emptyRepository());
  submit(site, "1.1.0", days);
  configure(site, { origin: bare });
  site.git("push", "--quiet", "origin", "HEAD:main");
  return { site, bare };
}

/** What the install of 1.1.0 and its upgrade from 1.0.0 gave, an hour ago. */
export function smokeOf(passed = true, more: Readonly<Record<string, unknown>> = {}): object {
  const origin = { version: "1.0.0", specHash: hashOfSample("1.0.0") };
  return {
    ...{ kind: "smoke", module: "sample", version: "1.1.0", specHash: hashOfSample("1.1.0") },
    ...{ observedAt: new Date(Date.now() - 3_600_000).toISOString(), source: "run 7", ...ranOn(passed, origin) },
    ...more,
  };
}

/** The path of a file of evidence. */
export function reportOf(...evidence: readonly object[]): string {
  const folder = emptyFolder();
  folder.write({ "evidence.json": JSON.stringify({ format: 1, evidence }) });
  return `${folder.path}/evidence.json`;
}

/** Where the branch of evidence keeps what {@link smokeOf} says. */
export const PATH: string = "modules/sample/1.1.0/".concat(hashOfSample("1.1.0"), ".json");

/** `kyma-modules evidence publish`. */
export function publish({ path }: Folder, ...more: readonly string[]): Promise<Ended> {
  return kymaIn(path, ["evidence", "publish", ...more]);
}

/** Where the published evidence is from. */
export function sourcesIn({ git }: Folder): readonly string[] {
  return [...git("show", `evidence:${PATH}`).matchAll(/"source": "(.*)"/g)].map(([, source = ""]) => source).sort();
}

/** Expects that nothing is lost when so many publish at once. */
export async function publishAtOnce(length: number): Promise<void> {
  const { site, bare } = sharedSite(9);
  const sources = Array.from({ length }, (_, index) => `run ${String(index)}`);
  const ended = await Promise.all(
    sources.map((source) => publish(site, "--remote", bare.path, reportOf(smokeOf(true, { source })))),
  );

  const said: unknown = expect.stringContaining("published on evidence");
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(sources.map(() => [0, said]));
  expect(sourcesIn(bare)).toEqual(sources);
  expect(bare.git("rev-list", "--count", "evidence")).toBe(String(sources.length));
}

/** What `promote` says of the one module. */
export async function verdictIn({ path }: Folder, ...more: readonly string[]): Promise<string> {
  const { stdout } = await kymaIn(path, ["promote", ...more]);
  return /^regular +sample +\S+ +\S+ +\S+ +(.*)$/m.exec(stdout)?.[1] ?? stdout;
}

/** Puts files onto the branch of evidence of a repository as of `daysAgo`, as anyone could who may push there. */
export function plant(
  repository: Folder,
  files: Readonly<Record<string, string | { readonly link: string }>>,
  daysAgo = 0,
): void {
  const clone = emptyFolder();
  clone.git("init", "--quiet", "--initial-branch=evidence");
  clone.write(files);
  clone.commit("planted");
  redate(clone, daysAgo);
  clone.git("push", "--quiet", "--force", repository.path, "evidence");
}

/** Runs the command that a message ends with. */
export function followHint({ path }: Folder, message: string): void {
  execFileSync("sh", ["-c", message.trim().replace(/^.*: (?=git )/, "")], { cwd: path, stdio: "ignore" });
}

/** A repository with two commits. */
export function otherHistory(): string {
  const repository = emptyRepository();
  for (const content of ["1", "2"]) {
    repository.write({ file: content });
    repository.commit(content);
  }
  return repository.path;
}

/** A clone as a job in CI makes it: with only the commit of the base, and on no branch. */
export function jobOf({ path }: Folder): Folder {
  const clone = emptyRepository();
  clone.git("remote", "add", "origin", path);
  clone.git("fetch", "--quiet", "origin", "main");
  clone.git("switch", "--quiet", "--detach", "origin/main");
  return clone;
}
