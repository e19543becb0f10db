import { describe, expect, it } from "vitest";
import { FAST } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { BRANCH, bumpSite, WANTED } from "./bumping.ts";
import { freshClone, openPipeline, pullsOf } from "./bumpPipeline.ts";
import { run } from "./program.ts";

/** Several runs in a row, on a machine that does much else. */

describe("kyma-modules bump --pull-request", () => {
  it("opens the pull request, which describes the change and the result of the gate", async () => {
    const { train, template, bump } = await openPipeline();
    const { code, stdout, stderr } = await bump();
    const [pull] = train.double.pulls();

    expect(stderr).toBe("");
    expect(stdout).toContain(`opened: ${BRANCH} (`);
    expect(stdout).toContain(`pull request #1: `);
    expect(code).toBe(0);
    expect(pullsOf(train)).toEqual([`#1 open ${BRANCH}: Bump sample to 1.2.0 in fast`]);
    expect(pull?.body).toContain(`**sample 1.2.0** in \`fast\`: \`${FAST}\` is changed.`);
    expect(pull?.body).toContain(`Made from \`${template}\`, with these edits:`);
    expect(pull?.body).toContain("- changed `metadata.name` from `sample-1.2.0` to `sample-fast`");
    expect(pull?.body).toMatch(/### Result of check\n\n {4}channels[^]*\n {4}1 note in 1 of 1 file/);
    expect(pull?.body).toMatch(/\b\d+ rules\b.* not run\b/);
    train.clone.git("fetch", "--quiet", "origin");
    expect(train.clone.git("show", `origin/${BRANCH}:${FAST}`)).toBe(WANTED.trimEnd());
    expect(train.clone.git("diff", "--name-status", "origin/main", `origin/${BRANCH}`)).toBe(`M\t${FAST}`);
  });

  it("does not touch a branch that a person edited, and prints a remedy", async () => {
    const { train, bump } = await openPipeline();
    await bump();
    const person = freshClone(train);
    person.git("switch", "--quiet", BRANCH);
    person.write({ [FAST]: `# edited\n${WANTED}` });
    const tip = person.commit("edit by hand");
    person.git("push", "--quiet", "origin", BRANCH);
    const { code, stderr } = await bump();

    expect(stderr).toEqual(mentions("committed", BRANCH, "pull request", "close", "delete"));
    expect(code).toBe(2);
    expect(train.double.refs().get(`refs/heads/${BRANCH}`)).toBe(tip);
  });

  it("is refused without a forge, and names the option to omit", async () => {
    const { repository, template, branches } = bumpSite();
    const args = ["bump", "sample@1.2.0", "--channel", "fast", "--template", template, "--pull-request", "--offline"];
    const { code, stderr } = await run([...args, "--repo", repository.path]);

    expect(stderr).toContain("kyma-modules.yaml names no forge");
    expect(stderr).toContain("Remove --pull-request");
    expect(code).toBe(2);
    expect(branches()).toEqual(["main"]);
  });
});
