import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findBinaries } from "../../src/systems/embedded/binaries.ts";
import { startControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { environmentFrom, findOnPath, type Environment } from "../../src/systems/environment.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";

it("builds etcd and kube-apiserver from the pinned module, and they run", async (context) => {
  if ((await findOnPath("go", process.env)) === undefined) context.skip("there is no go on the PATH");
  const cacheDir = mkdtempSync(join(tmpdir(), "build-test-"));
  const source = { base: "http://127.0.0.1:1", deadlines: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000 } };
  const environment: Environment = { ...environmentFrom({}), cacheDir, source, variables: process.env };
  const lines: string[] = [];
  const binaries = await findBinaries(environment, (line) => lines.push(line), quietRun());
  const controlPlane = await startControlPlane({ name: "built", binaries }, quietRun());
  await controlPlane.stop();
  expect(lines).toContainEqual(mentions("kube-apiserver", "etcd", "Go", "minutes"));
  rmSync(cacheDir, { recursive: true });
});
