import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { FAST, SAMPLE, templateText } from "../../src/check/example.ts";
import { nameBytes } from "../../src/document/fileName.ts";
import { findingsIn, sampleRepository } from "./checking.ts";

/** A byte that is not UTF-8, as `nameText` gives it. */
const BYTE = "\udce9";

const PLACES: readonly (readonly [string, string])[] = [
  [`channels/${BYTE}.yaml`, String(SAMPLE["channels/fast.yaml"])],
  [`channels/${BYTE}/sample.yaml`, String(SAMPLE[FAST])],
  [`channels/fast/${BYTE}.yaml`, String(SAMPLE[FAST])],
  [`modules/${BYTE}/module.yaml`, "format: 1\n"],
  [`modules/sample/${BYTE}/template.yaml`, templateText(undefined, "1.1.0")],
];

it.each(PLACES)("refuses a file whose name is not UTF-8: %j", async (path, text) => {
  const repository = sampleRepository();
  for (const name of [path, path.replace(BYTE, "\udce8")]) {
    const file = nameBytes(join(repository.path, name));
    mkdirSync(nameBytes(dirname(join(repository.path, name))), { recursive: true });
    writeFileSync(file, text);
  }
  const expected = [path.replace(BYTE, "\udce8"), path].map((name) => `file-name ${name}:1`);

  expect(await findingsIn(repository.path, [])).toEqual(expect.arrayContaining(expected));
  expect(await findingsIn(repository.path, ["--base", "HEAD", "--worktree"])).toEqual(expect.arrayContaining(expected));
  repository.commit();
  expect(await findingsIn(repository.path, ["--base", "HEAD~1"])).toEqual(expect.arrayContaining(expected));
});
