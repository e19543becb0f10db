import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CODEOWNERS, edit, FAST, MODULE, SAMPLE, templateText } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { emptyRepository, type Folder } from "../systems/repository.ts";
import { checkIn, findingsIn, sampleRepository } from "./checking.ts";

const BROKEN = edit(templateText("fast", "1.1.0"), "channel: fast", "channel: slow");
const BROKEN_FAST = `place-channel ${FAST}:9`;
const WAIVER = `waivers: [{ rule: crd-compatible, version: 1.1.0, reason: none, until: "2100-01-01T00:00:00Z" }]\n`;
const OFFLINE = ["--base", "HEAD~1", "--offline"];

/** A repository whose last commit changes `files`. */
function changed(files: Parameters<Folder["write"]>[0]): Folder {
  const repository = sampleRepository();
  repository.write(files);
  repository.commit();
  return repository;
}

describe("a change since a base", () => {
  it("is what Git has, whatever the working tree shows", async () => {
    const repository = changed({ [MODULE]: String(SAMPLE[MODULE]) + WAIVER });
    repository.write({ [MODULE]: `${String(SAMPLE[MODULE])}# ${WAIVER}` });
    repository.git("update-index", "--assume-unchanged", MODULE);

    expect(await findingsIn(repository.path, ["--base", "HEAD~1"])).toContain(`waiver-approval ${MODULE}:4`);
    expect(await findingsIn(repository.path, ["--base", "HEAD~1", "--worktree"])).toEqual([]);
  });

  it("does not include what is not committed, and names it", async () => {
    const repository = changed({ [FAST]: templateText("fast", "1.1.0").replace("replicas: 1", "replicas: 2") });
    repository.write({ [FAST]: BROKEN, "channels/fast/new.yaml": "a: [", [CODEOWNERS]: "* @else\n" });

    const { code, stderr } = await checkIn(repository.path, [...OFFLINE, "--rule", "place-channel"]);

    expect([code, stderr]).toEqual([
      0,
      mentions("not judged", "not committed", CODEOWNERS, FAST, "channels/fast/new.yaml", "--worktree"),
    ]);
  });

  it("includes it with --worktree, which names it as not part of a merge", async () => {
    const repository = changed({ "README.md": "x" });
    const args = [...OFFLINE, "--worktree", "--rule", "place-channel"];
    expect((await checkIn(repository.path, args)).stderr).toEqual(mentions("working tree", "merge", "nothing"));
    repository.write({ [FAST]: BROKEN });

    const { code, stderr } = await checkIn(repository.path, args);
    expect([code, stderr]).toEqual([1, mentions("working tree", "merge", FAST)]);
  });

  it("is fixed only in the working tree", async () => {
    const { path } = changed({ [FAST]: BROKEN });

    expect(await checkIn(path, [...OFFLINE, "--fix"])).toMatchObject({
      ...{ code: 2, stderr: mentions("--fix", "--base REF", "--worktree") },
    });
  });

  it("includes links to what it changes", async () => {
    const repository = sampleRepository();
    repository.write({ "docs/a.yaml": String(SAMPLE[FAST]), [FAST]: { link: "../../docs/a.yaml" } });
    repository.commit();
    repository.write({ "docs/a.yaml": BROKEN });
    repository.commit();

    expect(await findingsIn(repository.path, ["--base", "HEAD~1"])).toEqual([BROKEN_FAST]);
    expect(await findingsIn(repository.path, ["--base", "HEAD"])).toEqual([]);
  });
});

describe("attributes that convert files of the catalogue", () => {
  it.each([
    ["modules/sample/module.yaml working-tree-encoding=ISO646-GB", [MODULE]],
    ["channels/** ident", ["channels/fast.yaml"]],
    ["[attr]odd filter=odd\n/kyma-modules.yaml odd", ["kyma-modules.yaml"]],
    ["*.yaml eol=crlf", [".github/teams.yaml"]],
    ["*.yaml text=auto", [".github/teams.yaml"]],
    ["*.yaml crlf", [".github/teams.yaml"]],
    ["*.yaml -text eol=lf\nREADME.md text", []],
  ])("are an error: %s", async (line, files) => {
    const repository = changed({ ".gitattributes": `${line}\n`, ".github/teams.yaml": "{}\n", "README.md": "x\n" });
    const expected = files.map((file) => `file-converted ${file}:1`);

    expect(await findingsIn(repository.path, [])).toEqual(expected);
    expect(await findingsIn(repository.path, ["--base", "HEAD~1"])).toEqual(expected);
    expect(await findingsIn(repository.path, ["--base", "HEAD~1", "--worktree"])).toEqual(expected);
    expect(await findingsIn(repository.path, ["--base", "HEAD"])).toEqual([]);
  });

  it("are an error of a later change of such a file, and may be in any folder", async () => {
    const repository = emptyRepository();
    const files = Object.entries(SAMPLE).map(([path, text]) => [`releases/${path}`, text] as const);
    repository.write({ ...Object.fromEntries(files), ".gitattributes": "releases/channels/fast/* ident\n" });
    repository.commit();
    repository.write({ [`releases/${FAST}`]: edit(String(SAMPLE[FAST]), "replicas: 1", "replicas: 2") });
    repository.commit();

    const { stdout } = await checkIn(join(repository.path, "releases"), [...OFFLINE, "--rule", "file-converted"]);
    expect(stdout).toEqual(mentions(FAST, "ident", "file-converted"));
  });

  it("are those of the change, not of the user", async () => {
    const repository = changed({ "README.md": "x" });
    repository.write({ mine: "* ident\n" });
    repository.git("config", "core.attributesFile", join(repository.path, "mine"));

    expect(await findingsIn(repository.path, [])).toEqual([]);
  });
});
