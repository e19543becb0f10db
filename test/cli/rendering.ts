import { expect } from "vitest";
import { readYamlStream } from "../../src/document/yaml/stream.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { filesOf, type Sample } from "../sync/catalogueFiles.ts";
import { emptyRepository, type Folder } from "../systems/repository.ts";
import { run, type Ended } from "./program.ts";

/** One module in two channels. */
export const FAST: Sample = { channels: { fast: { certs: "1.1.0" }, regular: { certs: "1.0.0" } } };
/** The same, with another version in fast. */
export const serving: (version: string, more?: Partial<Sample>) => Sample = (version, more = {}) => ({
  channels: { fast: { certs: version }, regular: { certs: "1.0.0" } },
  ...more,
});
/** A hold on a version. */
export const holding: (version: string) => Partial<Sample> = (version) => ({
  holds: { certs: [{ version, reason: "it leaks", by: "alice", since: "2026-05-01T00:00:00Z" }] },
});

/** A repository, in which each sample is a commit; gives the commits, too. */
export function repositoryOf(...samples: readonly Sample[]): Folder & { readonly commits: readonly string[] } {
  const repository = emptyRepository();
  const commits = samples.map((sample) => {
    for (const path of ["channels", "modules"]) repository.remove(path);
    repository.write(Object.fromEntries(filesOf(sample)));
    return repository.commit();
  });
  return { ...repository, commits };
}

/** Renders the landscape dev. */
export function render({ path }: Pick<Folder, "path">, ...args: readonly string[]): Promise<Ended> {
  return run(["render", "dev", "--repo", path, ...args]);
}

/** The objects of the documents that were printed. */
export function objectsIn({ stdout }: Ended): readonly KubernetesObject[] {
  const { files, findings } = readYamlStream("stdout", Buffer.from(stdout));
  expect(findings).toEqual([]);
  return files.map(({ value }) => value as KubernetesObject);
}

/** The versions that the channels serve of certs. */
export function servedBy(text: string): string {
  const [, spec = ""] = text.split("kind: ModuleReleaseMeta");
  return [...spec.matchAll(/channel: (\w+)\n +version: (\S+)/g)]
    .map(([, name, version]) => `${name} ${version}`)
    .join();
}
