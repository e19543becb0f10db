import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { edit, FAST, SAMPLE, templateText } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder } from "../systems/repository.ts";
import { checkIn, findingsIn, itemsIn, sampleRepository } from "./checking.ts";

const BROKEN = edit(templateText("fast", "1.1.0"), "channel: fast", "channel: slow");
const BROKEN_FAST = `place-channel ${FAST}:9`;

describe("without a base", () => {
  it("checks everything, also in a folder that is not a Git repository", async () => {
    const folder = emptyFolder();
    folder.write({ ...SAMPLE, [FAST]: BROKEN });

    expect(await findingsIn(folder.path, [])).toEqual([BROKEN_FAST]);
  });

  it.each([
    [FAST, 1, 1],
    ["channels/fast", 1, 1],
    ["channels/fast/", 1, 1],
    ["channels", 4, 1],
    [".", 9, 1],
    ["channels/regular", 1, 0],
    ["modules/sample/1.1.0", 1, 0],
    ["modules/sample", 3, 0],
    [".github/CODEOWNERS", 1, 0],
  ])("checks only %s when it is named", async (path, files, findings) => {
    const repository = sampleRepository();
    repository.write({ [FAST]: BROKEN });

    const items = await itemsIn(repository.path, [join(repository.path, path)]);

    expect(items.at(-1)).toMatchObject({ files });
    expect(items.filter(({ kind, severity }) => kind === "finding" && severity === "error")).toHaveLength(findings);
  });

  it("finds problems in a manifest whose folder is named", async () => {
    const repository = sampleRepository();
    const manifest = "modules/sample/1.1.0/manifest.yaml";
    repository.write({ [manifest]: "kind: [\n" });

    expect(await findingsIn(repository.path, [join(repository.path, "modules/sample/1.1.0")])).toContainEqual(
      expect.stringContaining(manifest),
    );
  });

  it("takes paths relative to the current directory", async () => {
    const repository = sampleRepository();
    repository.write({ [FAST]: BROKEN });

    expect(await findingsIn(repository.path, [relative(".", join(repository.path, FAST))])).toEqual([BROKEN_FAST]);
    expect(await checkIn(repository.path, [FAST])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: .* outside .*--repo DIR\b.*\n$/) as string,
    });
  });

  it.each(["channels/fats", "channels/fast/samp", "README.md"])("refuses %s, which is not there", async (path) => {
    const repository = sampleRepository();

    const { code, stdout, stderr } = await checkIn(repository.path, [join(repository.path, path)]);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.split("\n")).toEqual([mentions("error", path, "kyma-modules.yaml", "channels/", "modules/"), ""]);
  });

  it.each([
    ["without a base", []],
    ["with one", ["--base", "HEAD"]],
  ])("refuses a repository that does not exist, %s", async (_, args) => {
    const nowhere = join(emptyFolder().path, "nowhere");

    const { code, stderr } = await checkIn(nowhere, args);

    expect([code, ...stderr.split("\n")]).toEqual([2, mentions("error", `folder ${nowhere}`, "--repo DIR"), ""]);
  });
});

describe("--loose", () => {
  it("checks templates on their own in any folder, without a catalogue and Git", async () => {
    const folder = emptyFolder();
    folder.write({ "good.yaml": templateText("fast", "1.1.0"), "deep/bad.yml": "a: [" });
    const [good, bad] = [join(folder.path, "good.yaml"), join(folder.path, "deep/bad.yml")];

    expect(await findingsIn(folder.path, ["--loose", folder.path])).toEqual([`yaml-syntax ${bad}:1`]);
    expect(await findingsIn(join(folder.path, "nowhere"), ["--loose", good])).toEqual([]);
    expect((await itemsIn(folder.path, ["--loose", good, bad, good])).at(-1)).toMatchObject({ files: 2 });
  });

  it.each([
    ["no files", [], mentions("--loose FILE…")],
    ["missing files", ["nowhere.yaml"], mentions("file or folder nowhere.yaml")],
    ["a base", ["a.yaml", "--base", "HEAD"], mentions("--loose", "--base")],
    ["--fix", ["a.yaml", "--fix"], mentions("--fix", "kyma-modules import FILE…")],
  ])("is refused with %s", async (_, args, message) => {
    expect(await checkIn(emptyFolder().path, ["--loose", ...args])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: message,
    });
  });
});

describe("--offline", () => {
  it("lists skipped rules in every report, and counts none as passed", async () => {
    const { path } = sampleRepository();

    const { stdout } = await checkIn(path, ["--offline"]);
    const items = await itemsIn(path, []);

    expect(stdout).toEqual(mentions("Not run", "--verbose", "(--offline)"));
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: "not-run",
        rule: "image-exists",
        why: expect.stringContaining("--offline") as string,
      }),
    );
  });
});
