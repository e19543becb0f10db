import { expect, it, test } from "vitest";
import { inputAt } from "../../src/catalogue/inputs.ts";
import { EVERYTHING, checkScope } from "../../src/check/scope.ts";

/** What is read: the names of modules, or all. */
function readsFor(...paths: readonly string[]): readonly string[] | "all" {
  const { modules } = checkScope(paths);
  return modules === undefined ? "all" : [...modules];
}

test.each([
  ["channels/fast/sample.yaml", ["sample"]],
  ["modules/sample/module.yaml", ["sample"]],
  ["modules/sample/1.0.0/template.yaml", ["sample"]],
  ["modules/sample/1.0.0/manifest.yaml", ["sample"]],
  ["modules/sample/1.0.0", ["sample"]],
  ["modules/sample/", ["sample"]],
  ["channels/fast/old/sample.yaml", ["old"]],
  [".github/CODEOWNERS", []],
  ["channels/notes.txt", []],
])("%s is about %j", (path, modules) => {
  expect(readsFor(path)).toEqual(modules);
});

test.each([
  "kyma-modules.yaml",
  "channels/fast.yaml",
  "channels/fast",
  "channels/fast/",
  "channels",
  "modules",
  "modules/",
])("%s may be about any module", (path) => {
  expect(readsFor(path, "channels/fast/sample.yaml")).toBe("all");
});

it("judges every template only if the settings or a policy change", () => {
  const isAboutAll = (path: string): boolean => checkScope([path]).isAboutAll;

  expect(["kyma-modules.yaml", "channels/fast.yaml"].map(isAboutAll)).toEqual([true, true]);
  expect(["channels", "channels/fast", "channels/fast/sample.yaml", "modules"].map(isAboutAll)).not.toContain(true);
  expect(EVERYTHING.isAboutAll).toBe(true);
});

it("has the named files, and the files of the named folders, but no namesakes", () => {
  const { has } = checkScope(["channels/fast", "modules/sample/", "channels/slow.yaml"]);

  expect(["channels/fast/a.yaml", "modules/sample/1.0.0/x", "channels/slow.yaml"].map(has)).toEqual([true, true, true]);
  expect(["channels/faster/a.yaml", "channels/fast.yaml", "modules/sampler/x", "channels/slow"].map(has)).not.toContain(
    true,
  );
});

it("touches a folder in which something is named, and one within a named folder", () => {
  const folder = "modules/sample/1.0.0/";
  const touches = (path: string): boolean => checkScope([path]).touches(folder);

  expect(
    ["modules/sample/1.0.0/manifest.yaml", "modules/sample/1.0.0", "modules/sample", "modules/"].map(touches),
  ).toEqual([true, true, true, true]);
  expect(["modules/sample/1.0.0-rc", "modules/sample/module.yaml", "modules/sampler"].map(touches)).not.toContain(true);
});

it("has nothing when nothing is named", () => {
  const nothing = checkScope([]);

  expect([nothing.has("channels/fast.yaml"), nothing.touches("modules/a/1.0.0/"), nothing.isAboutAll]).toEqual([
    false,
    false,
    false,
  ]);
  expect(nothing.modules).toEqual(new Set());
});

it("knows the inputs of a build by their place", () => {
  expect(inputAt("modules/sample/1.0.0/deep/manifest.yaml")).toEqual({ module: "sample", version: "1.0.0" });
  for (const path of ["modules/sample/1.0.0/template.yaml", "modules/sample/module.yaml", "channels/fast/a/b/c"])
    expect(inputAt(path)).toBeUndefined();
});
