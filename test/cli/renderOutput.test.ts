import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, type Sample, type TemplateSpec } from "../sync/catalogueFiles.ts";
import { emptyFolder } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import type { Ended } from "./program.ts";
import { FAST, holding, render, repositoryOf, servedBy, serving } from "./rendering.ts";

/** The files of a folder, by path. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

/** Another file in fast. */
const offering = (fast: TemplateSpec): Sample => ({ channels: { fast: { certs: fast }, regular: { certs: "1.0.0" } } });

const META = "objects/release-metas/certs.yaml";

describe("render --output", () => {
  it("takes the content of the folder as the last rendering", async () => {
    const folder = emptyFolder();
    const repository = repositoryOf(serving("1.2.0"));
    const output = ["--output", join(folder.path, "dev")];
    const first = await render(repository, ...output);
    expect([first.code, first.stdout]).toEqual([0, ""]);

    repository.write(Object.fromEntries(filesOf(serving("1.1.0", holding("1.2.0")))));
    repository.commit();
    expect((await render(repository, ...output)).code).toBe(0);
    expect(servedBy(filesIn(folder.path)[`dev/${META}`] ?? "")).toBe("fast 1.2.0,regular 1.0.0");

    repository.write(Object.fromEntries(filesOf(serving("1.3.0", holding("1.2.0")))));
    repository.commit();
    expect((await render(repository, ...output)).stderr).toMatch(
      /^Removed objects\/templates\/certs-1\.\d\.0\.yaml\.$/m,
    );
    expect(servedBy(filesIn(folder.path)[`dev/${META}`] ?? "")).toBe("fast 1.3.0,regular 1.0.0");
    expect(Object.keys(filesIn(folder.path)).filter((path) => path.includes("templates"))).toEqual([
      "dev/objects/templates/certs-1.0.0.yaml",
      "dev/objects/templates/certs-1.3.0.yaml",
    ]);
  });

  it("refuses again what it refused, and what it rendered into a file that is lost", async () => {
    const folder = emptyFolder();
    const repository = repositoryOf(serving("1.2.0"), serving("1.1.0", holding("1.2.0")));
    const output = ["--output", folder.path];
    const refusal = { code: 1, stderr: expect.stringContaining("--base REV") as unknown };
    expect(await render(repository, ...output)).toMatchObject(refusal);
    expect(await render(repository, ...output)).toMatchObject(refusal);
    expect(Object.keys(filesIn(folder.path))).toEqual(["landscape.json"]);

    expect((await render(repository, ...output, "--base", repository.commits[0] ?? "")).code).toBe(0);
    const before = filesIn(folder.path);
    expect(servedBy(before[META] ?? "")).toBe("fast 1.2.0,regular 1.0.0");

    rmSync(join(folder.path, META));
    expect(await render(repository, ...output)).toMatchObject(refusal);
    const { [META]: _lost, ...others } = before;
    expect(filesIn(folder.path)).toEqual(others);
  });

  it("remembers that a held version was never rendered", async () => {
    const folder = emptyFolder();
    const repository = repositoryOf({ channels: { fast: { certs: "1.1.0" } }, ...holding("1.1.0") });
    const output = ["--output", folder.path];
    const first = await render(repository, ...output, "--first");
    const second = await render(repository, ...output);

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.stderr).toContain("waiting   fast/certs");
  });

  it("writes the same bytes again, also into another folder", async () => {
    const folder = emptyFolder();
    const repository = repositoryOf(FAST);
    const delivery = ["--argo-cd", "--flux", "--git", "https://git.example.com/rendered"];
    const into = (name: string): Promise<Ended> => render(repository, "--output", join(folder.path, name), ...delivery);
    await into("one");
    const once = filesIn(join(folder.path, "one"));
    await Promise.all([into("one"), into("two")]);

    expect(Object.keys(once)).toEqual([
      "argo-cd.yaml",
      "flux.yaml",
      "landscape.json",
      META,
      "objects/templates/certs-1.0.0.yaml",
      "objects/templates/certs-1.1.0.yaml",
    ]);
    expect(filesIn(join(folder.path, "one"))).toEqual(once);
    expect(filesIn(join(folder.path, "two"))).toEqual(once);
    expect(once["flux.yaml"]).toContain("path: ./dev/objects/release-metas");
  });

  it("refuses a folder with changed files, and conflicting options for the base", async () => {
    const folder = emptyFolder();
    const repository = repositoryOf(FAST);
    const output = ["--output", folder.path];
    await render(repository, ...output);
    const both = await render(repository, ...output, "--first");
    writeFileSync(join(folder.path, META), "kind: ModuleReleaseMeta\n");
    const changed = await render(repository, ...output);

    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("Omit --base and --first.")]);
    expect([changed.code, changed.stderr]).toEqual([2, mentions("error:", META, "differs", "--output DIR")]);
  });

  it.each([
    ['{ "landscape": "prod" }', ["prod", "dev", "--output DIR"]],
    ["{}", ["landscape.json", "dev", "--output DIR"]],
    ["{", ["landscape.json", "dev", "--output DIR"]],
  ])("refuses a folder that is another landscape's: %s", async (text, parts) => {
    const folder = emptyFolder();
    const repository = repositoryOf(FAST);
    const output = ["--output", folder.path];
    await render(repository, ...output);
    const before = filesIn(folder.path);
    const path = join(folder.path, "landscape.json");
    writeFileSync(path, text);
    const { code, stderr } = await render(repository, ...output);

    expect([code, stderr]).toEqual([2, mentions("error:", ...parts)]);
    expect(filesIn(folder.path)).toEqual({ ...before, "landscape.json": text });
    rmSync(path);
    symlinkSync("argo-cd.yaml", path);
    expect(await render(repository, ...output)).toMatchObject({ code: 2 });
  });

  it("leaves refused entries unchanged", async () => {
    const folder = emptyFolder();
    const repository = repositoryOf(FAST);
    await render(repository, "--output", folder.path);
    const before = filesIn(folder.path);
    rmSync(join(repository.path, "modules"), { recursive: true, force: true });
    repository.write(Object.fromEntries(filesOf({ channels: { must: { certs: "1.1.0" } }, mandatory: ["must"] })));
    for (const channel of ["fast", "regular"]) repository.remove(`channels/${channel}/certs.yaml`);
    repository.commit();
    const { code, stderr } = await render(repository, "--output", folder.path);

    expect([code, stderr]).toEqual([1, expect.stringContaining("would become mandatory")]);
    expect(filesIn(folder.path)).toEqual(before);
  });

  it.each<readonly [refusal: string, sample: Sample]>([
    ["restriction-changed", offering({ version: "1.2.0", labels: { "operator.kyma-project.io/beta": "true" } })],
    ["restriction-changed", { ...FAST, modules: { certs: { owners: ["@org/certs"], internal: true } } }],
    [
      "component-changed",
      { ...FAST, modules: { certs: { owners: ["@org/certs"], ocmComponentName: "example.com/a" } } },
    ],
    ["content-changed", offering({ version: "1.1.0", requiresDowntime: true })],
  ])(
    "refuses what a sync refuses, by the rule %s: the folder, the last commit or the history tell",
    async (rule, sample) => {
      const folder = emptyFolder();
      const repository = repositoryOf(FAST);
      await render(repository, "--output", folder.path);
      const before = filesIn(folder.path);
      repository.write(Object.fromEntries(filesOf(sample)));
      repository.commit();
      const [written, named, unknown] = await Promise.all([
        render(repository, "--output", folder.path),
        render(repository, "--base", "HEAD~1"),
        render(repository),
      ]);

      for (const one of [written, named])
        expect([one.code, one.stdout, one.stderr]).toEqual([
          1,
          "",
          mentions("refused", `[${rule}]`, "certs is not rendered"),
        ]);
      expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([1, "", mentions("refused", "--base REV")]);
      expect(filesIn(folder.path)).toEqual(before);
      expect((await render(repository, "--first")).code).toBe(0);
    },
  );
});
