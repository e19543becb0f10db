// planCatalogue.ts FOLDER LIVE [REVISION]: loads, compiles and plans the catalogue in FOLDER as `plan` does, against the
// pages of objects in the files LIVE.0, LIVE.1, … instead of those of an API server.
import { existsSync, readFileSync } from "node:fs";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { plan } from "../../../src/sync/plan.ts";
import { NO_REFERENCES } from "../../../src/sync/references.ts";
import { directorySource } from "../../../src/systems/files.ts";
import { revisionSource } from "../../../src/systems/git.ts";
import { quietRun } from "../../support/controlPlane.ts";
import { compileSample } from "../compileSample.ts";

const [folder = "", livePages = "", revision] = process.argv.slice(2);
const options = { adopt: false, prune: false, maxPrune: undefined, changedContent: "refuse" } as const;

const source = revision === undefined ? directorySource(folder) : revisionSource(folder, revision);

function readLive(): readonly KubernetesObject[] {
  const objects: KubernetesObject[] = [];
  for (let page = 0; existsSync(`${livePages}.${page}`); page++) {
    objects.push(...(JSON.parse(readFileSync(`${livePages}.${page}`, "utf8")) as readonly KubernetesObject[]));
  }
  return objects;
}

const desired = await compileSample(source, "kcp-system", quietRun());
const compiledSeconds = performance.now() / 1000;
const objects = readLive();
const [parent] = objects.filter(({ kind }) => kind === "ConfigMap");
const templates = objects.filter(({ kind }) => kind === "ModuleTemplate");
const releaseMetas = objects.filter(({ kind }) => kind === "ModuleReleaseMeta");
const readSeconds = performance.now() / 1000;
const { items } = plan({
  desired,
  known: new Map(),
  live: { parent, templates, releaseMetas },
  references: NO_REFERENCES,
  options,
});
const plannedSeconds = performance.now() / 1000;
const unchanged = items.filter(({ kind }) => kind === "unchanged").length;
console.log(
  JSON.stringify({
    items: items.length,
    unchanged,
    compiledAfterSeconds: compiledSeconds,
    liveReadInSeconds: readSeconds - compiledSeconds,
    plannedInSeconds: plannedSeconds - readSeconds,
  }),
);
