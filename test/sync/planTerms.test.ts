import { describe, expect, it } from "vitest";
import type { Compilation } from "../../src/catalogue/compile.ts";
import type { ModuleTerms } from "../../src/kubernetes/releaseMeta.ts";
import {
  artifactKey,
  type Artifact,
  type Artifacts,
  OPEN_GATE,
  type EntryGate,
  type LiveState,
  type PlanInput,
} from "../../src/sync/plan/input.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import type { Plan } from "../../src/sync/plan/item.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { Records } from "../../src/sync/plan/records.ts";
import {
  byEntry,
  byName,
  CAREFUL,
  desiredOf,
  edited,
  foreign,
  inputOf,
  liveOf,
  marked,
  recordsOf,
  respecified,
  usersOf,
} from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const next = desiredOf({ channels: { fast: { istio: "1.4.0" } } });
const live = liveOf(desired);
const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
const component = "example.com/module/istio";
const base: ModuleTerms = { ocmComponentName: component };

const wanting = (terms: ModuleTerms, of: Compilation = desired): Compilation => ({
  ...of,
  terms: new Map([["istio", terms]]),
});

const holding = (terms: object): LiveState => edited(live, "istio", (meta) => respecified(meta, terms));

/** The record of the entry, with these terms. */
function recording(terms: ModuleTerms, of: Compilation = desired): Records {
  const records = recordsOf(of);
  if (records.kind === "none") return records;
  return { kind: "known", entries: new Map([...records.entries].map(([key, one]) => [key, { ...one, terms }])) };
}

function accepting(field: string, from: unknown, to: unknown): EntryGate {
  const refusal = field === "ocmComponentName" ? "component-changed" : "restriction-changed";
  return { ...OPEN_GATE, accepted: new Set([acceptedKey({ refusal, module: "istio", field, from, to })]) };
}

/** The refused fields of the module, each with its refusal. */
function refusedIn({ modules }: Plan): readonly string[] {
  return modules.flatMap(({ items }) =>
    items.flatMap((item) =>
      item.kind === "refused" && item.object.field !== undefined ? [`${item.object.field}: ${item.refusal}`] : [],
    ),
  );
}

function decide(terms: ModuleTerms, now: LiveState = live, given: Partial<PlanInput> = {}): Plan {
  return plan(inputOf(wanting(terms), now, { users, ...given }));
}

const SELECTOR = { matchLabels: { region: "eu" } };
const CHANGES: readonly (readonly [field: keyof ModuleTerms, to: unknown, refusal: string])[] = [
  ["kymaSelector", SELECTOR, "restriction-changed"],
  ["beta", true, "restriction-changed"],
  ["internal", true, "restriction-changed"],
  ["ocmComponentName", "example.com/other", "component-changed"],
];

describe.each(CHANGES)("a change of %s", (field, to, refusal) => {
  const terms = { ...base, [field]: to };

  it("is refused while the module is in use, and the field stays as it is", () => {
    const decided = decide(terms);

    expect(refusedIn(decided)).toEqual([`spec.${field}: ${refusal}`]);
    expect(decided.modules[0]?.terms).toEqual(base);
  });

  it("is made if the module has no users", () => {
    const decided = plan(inputOf(wanting(terms), live));

    expect(refusedIn(decided)).toEqual([]);
    expect(byName(decided)["istio"]).toMatchObject({ kind: "change", desired: { spec: { [field]: to } } });
  });

  it("is made if it was accepted with its values, but not with others", () => {
    const from = base[field as "ocmComponentName"];
    const decided = decide(terms, live, { gate: accepting(field, from, to) });

    expect(refusedIn(decided)).toEqual([]);
    expect(decided.modules[0]?.terms).toEqual(terms);
    expect(refusedIn(decide(terms, live, { gate: accepting(field, from, "other") }))).toHaveLength(1);
  });

  it("is refused if the users of the module are unknown", () => {
    const unknown = { kind: "unknown", because: "not allowed" } as const;

    expect(refusedIn(decide(terms, live, { users: unknown }))).toEqual([`spec.${field}: references-unknown`]);
  });
});

describe("a component", () => {
  it("that is no longer wanted is refused, too", () => {
    expect(refusedIn(decide({}))).toEqual(["spec.ocmComponentName: component-changed"]);
  });

  it("that is refused keeps every entry, because the new versions may exist in the new component only", () => {
    const decided = plan(inputOf(wanting({ ocmComponentName: "example.com/other" }, next), live, { users }));

    expect(byEntry(decided)["fast/istio"]).toMatchObject({ kind: "refused", refusal: "component-changed" });
  });

  it.each<Artifact>([
    { kind: "missing", where: "there" },
    { kind: "unknown", because: "it is down" },
  ])("that was accepted is refused while it may lack a served version: $kind", (artifact) => {
    const other = "example.com/other";
    const gate = accepting("ocmComponentName", component, other);
    const found = (one: Artifact): Artifacts => ({
      kind: "asked",
      found: new Map([[artifactKey("istio", "1.3.0"), one]]),
    });
    const refusals = (one: Artifact): readonly string[] =>
      refusedIn(decide({ ocmComponentName: other }, holding(base), { gate, artifacts: found(one) }));

    expect(refusals(artifact)).toEqual(["spec.ocmComponentName: artifact-missing"]);
    expect(refusals({ kind: "present" })).toEqual([]);
  });

  it("that is the first one is not a change", () => {
    expect(refusedIn(decide(base, holding({ ocmComponentName: undefined })))).toEqual([]);
  });
});

describe("terms that a person changed by hand", () => {
  const byHand: LiveState = { ...holding({ beta: true }), records: recording(base) };

  it("are not repaired while the module is in use, and are not recorded as ours", () => {
    const decided = decide(base, byHand);

    expect(refusedIn(decided)).toEqual(["spec.beta: restriction-changed"]);
    expect(decided.modules[0]?.terms).toEqual(base);
  });

  it("block every entry, because a module that is restored under a restriction is uninstalled", () => {
    const decided = plan(inputOf(wanting(base, next), byHand, { users }));

    expect(byEntry(decided)["fast/istio"]).toMatchObject({ kind: "refused", refusal: "restriction-changed" });
  });

  it("are repaired if that was accepted", () => {
    const decided = decide(base, byHand, { gate: accepting("beta", true, undefined) });

    expect(refusedIn(decided)).toEqual([]);
    expect(byName(decided)["istio"]).toMatchObject({ kind: "change" });
  });

  it("block the return of a missing template", () => {
    const gone = edited(byHand, "istio-1.3.0", () => undefined);

    expect(byName(decide(base, gone))["istio-1.3.0"]).toMatchObject({
      kind: "refused",
      refusal: "restriction-changed",
    });
  });
});

describe("a release meta that is gone", () => {
  const gone: LiveState = { ...live, releaseMetas: [] };

  it("comes back with its recorded terms if their change is refused", () => {
    const decided = decide(base, { ...gone, records: recording({ ...base, beta: true }) });

    expect(refusedIn(decided)).toEqual(["spec.beta: restriction-changed"]);
    expect(
      byName(decide({ ...base, beta: true }, { ...gone, records: recording({ ...base, beta: true }) }))["istio"],
    ).toMatchObject({ kind: "create", desired: { spec: { beta: true } } });
  });

  it("comes back with the wanted terms if none are recorded", () => {
    expect(refusedIn(decide({ ...base, beta: true }, gone))).toEqual([]);
  });

  it("does not come back with a restriction while clusters have the module and there are no records", () => {
    const forgotten: LiveState = { ...gone, records: { kind: "none" } };
    const asking = usersOf({ module: "istio", channel: "fast", state: "Error" });

    expect(refusedIn(decide({ ...base, beta: true }, forgotten))).toEqual(["spec.beta: restriction-changed"]);
    expect(refusedIn(decide(base, forgotten))).toEqual([]);
    expect(refusedIn(decide({ ...base, beta: true }, forgotten, { users: asking }))).toEqual([]);
  });

  it("does not come back with another component than that of the templates, if they name one", () => {
    const forgotten: LiveState = { ...gone, records: { kind: "none" } };
    const bare = edited(forgotten, "istio-1.3.0", (object) => respecified(object, { descriptor: {} }));
    const other = { ocmComponentName: "example.com/other/istio" };

    expect(refusedIn(decide(other, forgotten))).toEqual(["spec.ocmComponentName: component-changed"]);
    expect([decide(other, bare), decide(other, forgotten, { users: usersOf() })].flatMap(refusedIn)).toEqual([]);
  });
});

describe("a release meta that is not ours", () => {
  const theirs = edited(holding({ beta: true }), "istio", foreign);

  it("keeps its terms, and none are recorded", () => {
    const decided = decide(base, theirs);

    expect(refusedIn(decided)).toEqual([]);
    expect(decided.modules[0]?.terms).toBeUndefined();
    expect(byName(decided)["istio"]).toMatchObject({ kind: "refused", refusal: "not-ours" });
  });

  it("is adopted with its own terms while the module is in use", () => {
    const decided = decide(base, theirs, { options: { ...CAREFUL, adopt: true } });

    expect(refusedIn(decided)).toEqual(["spec.beta: restriction-changed"]);
    expect(byName(decided)["istio"]).toMatchObject({ cause: "adoption", desired: { spec: { beta: true } } });
  });

  it("blocks every entry of the module", () => {
    expect(byEntry(plan(inputOf(wanting(base, next), theirs, { users })))["fast/istio"]).toMatchObject({
      kind: "refused",
      refusal: "not-ours",
    });
  });
});

describe("a label of a live template that restricts it", () => {
  const labelled = edited(live, "istio-1.3.0", (template) =>
    marked(template, { labels: { ...template.metadata.labels, "operator.kyma-project.io/beta": "true" } }),
  );

  it("is removed only if that was accepted", () => {
    const judged = (gate: EntryGate): unknown => byName(decide({}, labelled, { gate }))["istio-1.3.0"];

    expect(judged(OPEN_GATE)).toMatchObject({ kind: "refused", refusal: "restriction-changed" });
    expect(judged(accepting("beta", true, undefined))).toMatchObject({ kind: "change" });
  });
});
