import { describe, expect, it, onTestFinished } from "vitest";
import { openCheck } from "../../src/cli/compose/compose.ts";
import { openRepository } from "../../src/cli/compose/systems.ts";
import { openGate } from "../../src/check/gate.ts";
import { CODEOWNERS, edit, FAST, MODULE, REGULAR, SAMPLE, templateText } from "../../src/check/example.ts";
import { quietRun } from "../support/quietRun.ts";
import { emptyRepository } from "../systems/repository.ts";
import { findingsIn, sampleRepository } from "./checking.ts";

/** A module that CODEOWNERS does not list, and an unreadable one. */
const NEGLECTED = {
  "modules/zeta/module.yaml": "format: 1\nowners: [octocat]\n",
  "channels/fast/delta.yaml": "not: [a template",
};

/** `rule file` of what keeps a change out of a repository where something else is wrong. */
async function refusals(change: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const repository = emptyRepository();
  repository.write({ ...SAMPLE, ...NEGLECTED });
  const check = openCheck(openRepository(repository.path));
  const base = check.openRevision(repository.commit());
  const gate = openGate(base, ["@sample/release-managers"], (run) => check.openWorld({ offline: true }, run));
  onTestFinished(() => gate.close());
  const findings = await gate.judge(new Map(Object.entries(change)), quietRun());
  return findings.map(({ rule, file }) => `${rule} ${file}`);
}

describe("the gate for the program's own proposals", () => {
  it("ignores earlier problems in other files", async () => {
    expect(await refusals({ [REGULAR]: templateText("regular", "1.1.0") })).toEqual([]);
  });

  it("refuses problems in the files of the change, new or not", async () => {
    const unnamed = edit(templateText("regular", "1.1.0"), "name: sample-regular", "name: sample-fest");

    expect(await refusals({ [REGULAR]: unnamed })).toEqual([`place-name ${REGULAR}`]);
    expect(await refusals({ [CODEOWNERS]: `# Ours.\n${String(SAMPLE[CODEOWNERS])}` })).toEqual([
      `ownership-codeowners ${CODEOWNERS}`,
    ]);
  });

  it("refuses problems that the change causes in other files", async () => {
    const owners = edit(String(SAMPLE[MODULE]), `["@sample/team"]`, `["@sample/others"]`);

    expect(await refusals({ [MODULE]: owners })).toEqual([`ownership-codeowners ${CODEOWNERS}`]);
  });
});

describe("the history that the gate reads", () => {
  it("includes channels that were removed since", async () => {
    const repository = sampleRepository();
    const merge = (files: Readonly<Record<string, string>>): void => {
      repository.write(files);
      repository.commit();
    };
    merge({
      "channels/rapid.yaml": String(SAMPLE["channels/fast.yaml"]),
      "channels/rapid/sample.yaml": templateText("rapid", "1.9.0"),
    });
    repository.git("rm", "--quiet", "-r", "channels/rapid", "channels/rapid.yaml");
    repository.commit();
    repository.write({ [FAST]: edit(templateText("fast", "1.9.0"), "replicas: 1", "replicas: 2") });

    expect(await findingsIn(repository.path, ["--base", "HEAD", "--worktree"])).toContainEqual(
      expect.stringMatching(/^version-reused channels\/fast\/sample\.yaml/),
    );
  });
});
