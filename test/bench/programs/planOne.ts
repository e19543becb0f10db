// planOne.ts FOLDER: plans the catalogue in FOLDER as a controller does, against a control plane that serves it: all of
// it for the first time, then once more, then after one template was edited by hand, again and again.
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { OPEN_GATE, CAREFUL, type PlanInput } from "../../../src/sync/plan/input.ts";
import { isAct, planItems } from "../../../src/sync/plan/item.ts";
import { plan } from "../../../src/sync/plan/plan.ts";
import { directorySource } from "../../../src/systems/files/files.ts";
import { quietRun } from "../../support/quietRun.ts";
import { compileSample } from "../compileSample.ts";
import { SAMPLE_LANDSCAPE } from "../sampleCatalogue.ts";
import { asLive, recordsOf } from "../sampleLive.ts";

const desired = await compileSample(directorySource(process.argv[2] ?? ""), "kcp-system", quietRun());
const templates = desired.templates.map(asLive);
const generation = "version-templates";
const input: PlanInput = {
  desired,
  claim: { repository: "", landscape: SAMPLE_LANDSCAPE, generation, revision: "", ancestry: "forward" },
  known: new Map(),
  live: {
    parent: undefined,
    templates,
    releaseMetas: desired.releaseMetas.map(asLive),
    records: recordsOf(desired),
  },
  users: { kind: "unknown", because: "a controller asks only where there is something to do" },
  artifacts: { kind: "not-asked", because: "it is a benchmark" },
  gate: OPEN_GATE,
  deadlineMs: 600_000,
  options: { ...CAREFUL, takeOverSet: true },
  nowMs: Date.now(),
};

/** Plans, and gives the seconds that it took. */
function timed(live: PlanInput["live"], acts: number): number {
  const startedMs = performance.now();
  const decided = plan({ ...input, live });
  const seconds = (performance.now() - startedMs) / 1000;
  const found = planItems(decided).filter((item) => isAct(item) && item.object.kind !== "ConfigMap").length;
  if (found !== acts) throw new Error(`${found} acts, not ${acts}`);
  return seconds;
}

function edited(object: KubernetesObject): KubernetesObject {
  const spec = object["spec"] as object;
  return { ...object, spec: { ...spec, info: { repository: "https://example.com/edited" } } };
}

const { live } = input;
const firstSeconds = timed(live, 0);
const unchangedSeconds = timed({ ...live, templates: [...templates] }, 0);
const rounds = Array.from({ length: 9 }, (_, round) => {
  const changed = [...templates];
  const [before] = changed.splice(round * 100, 1);
  if (before === undefined) throw new Error("the sample is too small");
  return timed({ ...live, templates: [...changed, edited(before)] }, 1);
});
const oneChangedSeconds = rounds.toSorted((a, b) => a - b)[4];
console.log(JSON.stringify({ objects: templates.length, firstSeconds, unchangedSeconds, oneChangedSeconds }));
