import { expect, test } from "vitest";
import { edit, FAST, manifestPath, manifestText, templateText } from "../../../../src/check/example.ts";
import { defaultCrValid } from "../../../../src/check/rules/defaultCr/valid.ts";
import { imageMutableTag } from "../../../../src/check/rules/image/mutableTag.ts";
import { sampleValid } from "../../../../src/check/rules/crd/sampleValid.ts";
import { versionFolder } from "../../../../src/check/rules/version/folder.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const FOLDER = "modules/sample/1.2.0";
const CONFIG = `${FOLDER}/module-config.yaml`;
const MANIFEST = manifestPath("1.2.0");
const LATEST = {
  [MANIFEST]: edit(
    manifestText("1.2.0"),
    /image: \S+/.exec(manifestText("1.2.0"))?.[0] ?? "",
    "image: registry.example.com/prod/a:latest",
  ),
};
const UNJUDGED = mentions("not run", "no template", "build inputs");

test("a version without a template is judged as far as its inputs go, and the rest is listed", async () => {
  for (const context of [await contextOf({ change: LATEST }), await wholeContext(LATEST)]) {
    expect(said(imageMutableTag, context)).toEqual([mentions(`${MANIFEST}:`, "error", "latest")]);
    expect(said(versionFolder, context)).toEqual([UNJUDGED]);
  }
});

test("its default CR and its samples are judged", async () => {
  const sample = "apiVersion: operator.example.com/v1\nkind: Sample\nmetadata: { name: a }\nspec: { replicas: 9 }\n";
  const change = {
    ...LATEST,
    [CONFIG]: "name: sample\ndefaultCR: cr.yaml\n",
    [`${FOLDER}/cr.yaml`]: "a: [",
    [`${FOLDER}/samples/a.yaml`]: "b: [",
  };
  const context = await contextOf({ change });
  expect(said(versionFolder, context)).toEqual([mentions(`${FOLDER}/cr.yaml:1 error`), UNJUDGED]);
  expect(said(sampleValid, context)).toContainEqual(mentions(`${FOLDER}/samples/a.yaml:1 error`));
  const [first] = (await contextOf({ change: { ...change, [`${FOLDER}/cr.yaml`]: sample } })).folders;
  expect([first?.object.spec["data"], first?.file.path]).toEqual([expect.objectContaining({ kind: "Sample" }), CONFIG]);
  expect(said(defaultCrValid, context)).toEqual([]);
});

test("a version that a channel serves or served needs no other template", async () => {
  const served = { [FAST]: templateText("fast", "1.2.0") };
  expect((await contextOf({ base: served, change: LATEST })).folders).toEqual([]);
  expect((await contextOf({ history: [served], change: LATEST })).folders).toEqual([]);
});

test("inputs in a folder of another name are reported, other files are not", async () => {
  const misnamed = "modules/sample/latest";
  const change = { [`${misnamed}/module-config.yaml`]: "a: b\n", [`${misnamed}/notes.yaml`]: "a: b\n" };
  expect(said(versionFolder, await contextOf({ change }))).toEqual([
    mentions(`${misnamed}/module-config.yaml:1 warning`, "not named after"),
  ]);
  expect(said(versionFolder, await contextOf({ base: change, change: { "README.md": "x" } }))).toEqual([]);
});
