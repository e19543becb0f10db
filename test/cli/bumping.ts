import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE, templateText } from "../../src/check/example.ts";
import { configure, emptyFolder, emptyRepository, type Folder } from "../systems/repository.ts";

/** The branch of the bump that most tests are about. */
export const BRANCH = "bump/fast/sample-1.2.0";
/** The version that the channel should serve. */
export const WANTED: string = ["# of the team's own pipeline", templateText("fast", "1.2.0")].join("\n");
/** As a team's pipeline makes it: of a version, and of no channel. */
export const TEMPLATE: string = WANTED.replace("name: sample-fast", "name: sample-1.2.0").replace(
  "  channel: fast\n",
  "",
);

/** The sample catalogue, committed by a user that Git knows. */
export interface BumpSite {
  readonly repository: Folder;
  readonly base: string;
  /** Path of a file outside of it that holds `TEMPLATE`. */
  readonly template: string;
  readonly branches: () => readonly string[];
}

/** A catalogue to bump; it goes with the test. */
export function bumpSite(): BumpSite {
  const repository = emptyRepository();
  configure(repository, { user: "Pipeline" });
  repository.write(SAMPLE);
  const base = repository.commit("sample");
  const template = join(emptyFolder().path, "template.yaml");
  writeFileSync(template, TEMPLATE);
  return {
    repository,
    base,
    template,
    branches: () => repository.git("branch", "--format=%(refname:short)").split("\n"),
  };
}
