import { parseAllDocuments } from "yaml";
import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { writeModule } from "../smoke/sampleModule.ts";
import { emptyFolder, emptyRepository, type Folder } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { run, type Ended } from "./program.ts";

/** A catalogue whose fast channel serves good 1.1.0, which was 1.0.0 before. */
function site(): Folder {
  const repository = emptyRepository();
  writeModule(repository, "good", { "1.0.0": {}, "1.1.0": { objects: (good) => good.toReversed() } });
  repository.commit();
  return repository;
}

const render = ({ path }: Folder, ...args: readonly string[]): Promise<Ended> =>
  run(["render", "--repo", path, ...args]);

function objectsIn({ stdout }: Ended): readonly KubernetesObject[] {
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
}

describe("the objects that install a version", () => {
  it("are its manifest in the order of installation, with their namespace", async () => {
    const printed = await render(site(), "good@1.1.0");
    const kinds = objectsIn(printed).map(({ kind }) => kind);

    expect([printed.code, printed.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^\d objects of good 1\.1\.0, from modules\/good\/1\.1\.0\/manifest\.yaml\n.* --default-cr/,
      ),
    ]);
    expect(kinds.slice(0, 2)).toEqual(["Namespace", "CustomResourceDefinition"]);
    expect(kinds.indexOf("Deployment")).toBeGreaterThan(kinds.indexOf("ServiceAccount"));
  });

  it("can be named by a channel, printed as a List, and replaced by the default CR", async () => {
    const folder = site();
    const [version, channel] = [await render(folder, "good@1.1.0"), await render(folder, "good@fast")];
    const { stdout } = await render(folder, "good@fast", "--format", "json");
    const { items } = JSON.parse(stdout) as { readonly items: readonly KubernetesObject[] };
    const resource = await render(folder, "good@1.0.0", "--default-cr");

    expect(channel.stdout).toBe(version.stdout);
    expect(items).toEqual(objectsIn(version));
    expect(objectsIn(resource)).toMatchObject([{ kind: "Good", metadata: { namespace: "kyma-system" } }]);
  });

  it("are those of a version that only the history has, if the clone is deep enough", async () => {
    const [folder, clone] = [site(), emptyFolder()];
    writeModule(folder, "good", { "1.0.0": {}, "1.2.0": {} });
    folder.commit();
    clone.git("clone", "--quiet", "--depth=1", `file://${folder.path}`, ".");
    const [deep, shallow] = [await render(folder, "good@1.1.0"), await render(clone, "good@1.1.0")];

    expect([deep.code, deep.stderr]).toEqual([0, expect.stringContaining("objects of good 1.1.0")]);
    expect([shallow.code, shallow.stderr]).toEqual([2, expect.stringContaining("git fetch --unshallow")]);
  });

  it("are printed with a warning while the version is held", async () => {
    const folder = site();
    const hold = (version: string, until: string): string =>
      `  - { version: ${version}, reason: it leaks, by: octocat, since: "2026-01-01T00:00:00Z"${until} }\n`;
    const past = ', until: "2026-01-02T00:00:00Z"';
    folder.write({ "modules/good/holds.yaml": `format: 1\nholds:\n${hold("1.0.0", "")}${hold("1.1.0", past)}` });
    folder.commit();

    expect((await render(folder, "good@1.0.0")).stderr).toMatch(/^warning: octocat holds good 1\.0\.0: it leaks$/m);
    expect((await render(folder, "good@1.1.0")).stderr).not.toContain("warning");
  });

  it("are printed with a warning if a channel went down from the version, or the clone is too shallow to tell", async () => {
    const [folder, clone] = [site(), emptyFolder()];
    writeModule(folder, "good", { "1.0.0": {}, "1.0.1": {} });
    folder.commit();
    clone.git("clone", "--quiet", "--depth=1", `file://${folder.path}`, ".");
    const [withdrawn, served, shallow] = [
      await render(folder, "good@1.1.0"),
      await render(folder, "good@1.0.1"),
      await render(clone, "good@1.0.1"),
    ];

    expect([withdrawn.code, withdrawn.stderr]).toEqual([0, mentions("warning: good: fast", "1.1.0", "1.0.1")]);
    expect(served.stderr).not.toContain("warning");
    expect([shallow.code, shallow.stderr]).toEqual([0, mentions("warning:", "good 1.0.1", "git fetch --unshallow")]);
  });

  it.each([
    ["good@2.0.0", ["history", "good@2.0.0", "1.1.0 (fast), 1.0.0 (regular)", "--revision REV"]],
    ["good@slow", ["catalogue", "good@slow", "1.1.0 (fast), 1.0.0 (regular)"]],
    ["bad@fast", ["module bad", "good"]],
    ["good@", ["good@", "MODULE@VERSION", "MODULE@CHANNEL", "istio@1.2.3", "istio@fast"]],
    ["good@fast --output rendered", ["--output", "landscape"]],
    ["dev --default-cr", ["--default-cr", "MODULE@VERSION"]],
  ])("is refused for %s", async (args, parts) => {
    expect(await render(site(), ...args.split(" "))).toMatchObject({
      ...{ code: 2, stdout: "" },
      stderr: mentions("error:", ...parts),
    });
  });

  it("are refused if the manifest is missing or unreadable", async () => {
    const [elsewhere, broken] = [emptyRepository(), emptyRepository()];
    writeModule(elsewhere, "good", { "1.1.0": { isElsewhere: true } });
    writeModule(broken, "good", { "1.1.0": { manifest: "kind: [" } });
    for (const folder of [elsewhere, broken]) folder.commit();
    const nowhere = await render(elsewhere, "good@1.1.0");

    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      mentions("error:", "manifest of good 1.1.0", "modules/good/1.1.0/manifest.yaml"),
    ]);
    expect(await render(broken, "good@1.1.0")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/manifest\.yaml:\d/) as unknown,
    });
  });
});
