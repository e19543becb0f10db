import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SnapshotFile } from "../../src/document/snapshot.ts";
import { check } from "../../src/check/check.ts";
import { quietRun } from "../support/quietRun.ts";
import { NOW_MS, sourceOf } from "./exampleWorld.ts";
import { NO_HISTORY } from "../support/noHistory.ts";

const FOLDER = "../shared/kyma-data/moduletemplates";

test("judges every published template, and finds the ten known defects", async (context) => {
  if (!existsSync(FOLDER)) context.skip("there is no ../shared/kyma-data beside this repository");
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".yaml"))
    .map((name): [string, SnapshotFile] => [
      `${FOLDER}/${name}`,
      { kind: "bytes", bytes: readFileSync(`${FOLDER}/${name}`) },
    ]);
  const people = { author: undefined, approvedBy: [], teams: new Map() };
  const { result } = await check(
    { head: sourceOf(new Map(files)), base: undefined, paths: undefined, loose: true, people },
    {
      clock: { nowMs: () => NOW_MS, pause: () => Promise.resolve() },
      validator: { judge: () => Promise.resolve([]), close: () => Promise.resolve() },
      history: NO_HISTORY,
      outside: { kind: "not-asked", why: "tests ask no server" },
    },
    quietRun(),
  );
  const filesWith = (rule: string, text: string): readonly string[] =>
    result.findings
      .filter((finding) => finding.rule === rule && finding.message.includes(text))
      .map(({ file }) => file.slice(FOLDER.length + 1, -".yaml".length));

  expect(result.files).toBe(files.length);
  expect(filesWith("schema", "descriptor")).toEqual(
    expect.arrayContaining([
      "community-modules__cap-operator-0.15.0__8ac32f42",
      "community-modules__docker-registry-0.8.0__73834178",
      "community-modules__docker-registry-0.8.0__8ac32f42",
    ]),
  );
  const busola = files
    .map(([path]) => path.slice(FOLDER.length + 1, -".yaml".length))
    .filter((name) => name.startsWith("busola__busola-"));
  expect(busola).toHaveLength(7);
  expect(filesWith("template-name", "busola")).toEqual(expect.arrayContaining(busola));
});
