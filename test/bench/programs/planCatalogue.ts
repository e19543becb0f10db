// planCatalogue.ts FOLDER LIVE [REVISION]: loads, compiles and plans the catalogue in FOLDER as `plan` does, against the
// pages of objects in the files LIVE.0, LIVE.1, … instead of those of an API server.
import { existsSync, readFileSync } from "node:fs";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { NO_USERS } from "../../../src/fleet/users.ts";
import { OPEN_GATE, CAREFUL, type SetClaim, CLAIM_ANNOTATIONS } from "../../../src/sync/plan/input.ts";
import { planItems } from "../../../src/sync/plan/item.ts";
import { plan } from "../../../src/sync/plan/plan.ts";
import { directorySource } from "../../../src/systems/files/files.ts";
import { Repository } from "../../../src/systems/git/repository.ts";
import { revisionSource } from "../../../src/systems/git/revision.ts";
import { quietRun } from "../../support/quietRun.ts";
import { compileSample } from "../compileSample.ts";
import { SAMPLE_LANDSCAPE } from "../sampleCatalogue.ts";
import { recordsOf } from "../sampleLive.ts";

const [folder = "", livePages = "", revision] = process.argv.slice(2);
const claim: SetClaim = {
  repository: "",
  landscape: SAMPLE_LANDSCAPE,
  generation: "version-templates",
  revision: "",
  ancestry: "forward",
};

const source =
  revision === undefined ? directorySource(folder) : revisionSource(Repository.of(folder, process.env), revision);

function readLive(): readonly KubernetesObject[] {
  const objects: KubernetesObject[] = [];
  for (let page = 0; existsSync(`${livePages}.${page}`); page++) {
    objects.push(...(JSON.parse(readFileSync(`${livePages}.${page}`, "utf8")) as readonly KubernetesObject[]));
  }
  return objects;
}

/** The parent of the set once a sync has said whose it is. */
function claimed(parent: KubernetesObject): KubernetesObject {
  const { repository, landscape, generation } = claim;
  const annotations = {
    ...parent.metadata.annotations,
    [CLAIM_ANNOTATIONS.repository]: repository,
    [CLAIM_ANNOTATIONS.landscape]: landscape,
    [CLAIM_ANNOTATIONS.generation]: generation,
    [CLAIM_ANNOTATIONS.revision]: claim.revision,
  };
  return { ...parent, metadata: { ...parent.metadata, annotations } };
}

const desired = await compileSample(source, "kcp-system", quietRun());
const compiledSeconds = performance.now() / 1000;
const objects = readLive();
const [parent] = objects.filter(({ kind }) => kind === "ConfigMap");
const templates = objects.filter(({ kind }) => kind === "ModuleTemplate");
const releaseMetas = objects.filter(({ kind }) => kind === "ModuleReleaseMeta");
const readSeconds = performance.now() / 1000;
const decided = plan({
  desired,
  claim,
  known: new Map(),
  live: { parent: parent && claimed(parent), templates, releaseMetas, records: recordsOf(desired) },
  users: NO_USERS,
  artifacts: { kind: "not-asked", because: "it is a benchmark" },
  gate: OPEN_GATE,
  deadlineMs: 600_000,
  options: CAREFUL,
  nowMs: Date.now(),
});
const items = planItems(decided);
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
