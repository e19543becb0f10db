import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { servedContents, servedEntriesOf } from "../../src/sync/plan/served.ts";
import type { EntryRecord } from "../../src/sync/plan/records.ts";
import { NOW, recorded } from "./planning.ts";

const template = (name: string, said: object = { uid: `uid of ${name}`, generation: 2 }): KubernetesObject => ({
  ...{ apiVersion: "operator.kyma-project.io/v1beta2", kind: "ModuleTemplate" },
  metadata: { name, ...said },
});
const DATA = { "f:spec": { "f:data": {} } };
const managed = (manager: string, operation: string, fieldsV1: object = DATA): object => ({
  ...{ manager, operation, fieldsV1 },
});
const records = (...entries: readonly [string, EntryRecord][]): ReadonlyMap<string, EntryRecord> => new Map(entries);
const DEADLINE = 600_000;
const FAST: [string, EntryRecord] = ["fast/istio", recorded("1.3.0", "h", NOW)];

describe("the served content", () => {
  it("is one if several channels serve it from one template", () => {
    const all = records(FAST, ["regular/istio", recorded("1.3.0", "h", NOW + 1)]);

    expect(servedContents(all, [template("istio-1.3.0")], DEADLINE)).toEqual([
      {
        ...{ module: "istio", version: "1.3.0", specHash: "h", mandatory: false, deadlineMs: DEADLINE },
        ...{ uid: "uid of istio-1.3.0", generation: 2 },
        channels: [
          { channel: "fast", appliedMs: NOW },
          { channel: "regular", appliedMs: NOW + 1 },
        ],
      },
    ]);
  });

  it("is one for each channel if each has its own template", () => {
    const all = records(FAST, ["regular/istio", recorded("1.3.0", "h", NOW)]);

    expect(
      servedContents(all, [template("istio-fast"), template("istio-regular")], DEADLINE).map(({ uid }) => uid),
    ).toEqual(["uid of istio-fast", "uid of istio-regular"]);
  });

  it("may be mandatory", () => {
    const all = records(["mandatory/istio", recorded("1.3.0", "h", NOW)]);

    expect(servedContents(all, [template("istio-1.3.0")], DEADLINE)).toMatchObject([{ mandatory: true }]);
  });

  it.each<[string, EntryRecord, readonly KubernetesObject[]]>([
    ["its template is gone", FAST[1], []],
    ["its template has no uid", FAST[1], [template("istio-1.3.0", { generation: 2 })]],
    ["its template has no generation", FAST[1], [template("istio-1.3.0", { uid: "u" })]],
    [
      "another client changed its template",
      FAST[1],
      [template("istio-1.3.0", { uid: "u", generation: 3, managedFields: [managed("kubectl-edit", "Update")] })],
    ],
    ["its content is not recorded", recorded("1.3.0", "", NOW), [template("istio-1.3.0")]],
  ])("is unknown if %s", (_, record, templates) => {
    expect(servedContents(records(["fast/istio", record]), templates, DEADLINE)).toEqual([]);
    expect(servedEntriesOf(records(["fast/istio", record]), DEADLINE)).toHaveLength(1);
  });

  it("is known if another client wants the same, or changed no field of spec", () => {
    const managedFields = [
      managed("kyma-modules", "Apply", { "f:spec": { "f:data": {}, "f:version": {} } }),
      managed("argocd-controller", "Apply"),
      managed("before-first-apply", "Update", { "f:spec": { ".": {}, "f:data": {} } }),
      managed("kubectl-label", "Update", { "f:metadata": { "f:labels": { "f:team": {} } } }),
      // With its finalizer, lifecycle-manager 1.7 writes a default.
      managed("manager", "Update", { "f:spec": { "f:requiresDowntime": {} } }),
    ];
    const changed = {
      ...template("istio-1.3.0", { uid: "u", generation: 2, managedFields }),
      spec: { requiresDowntime: false },
    };

    expect(servedContents(records(FAST), [changed], DEADLINE)).toHaveLength(1);
  });

  it("of a mandatory module is in the template of its channel, which records do not name", () => {
    const labels = { "operator.kyma-project.io/module-name": "istio" };
    const said = { uid: "u", generation: 2, labels };
    const must = { ...template("istio-must", said), spec: { mandatory: true } };
    const fast = { ...template("istio-fast", { ...said, uid: "other" }), spec: { channel: "fast" } };

    expect(servedContents(records(["mandatory/istio", FAST[1]]), [fast, must], DEADLINE)).toMatchObject([
      { uid: "u", mandatory: true },
    ]);
  });

  it("has a share that failed before, unless it is the first version", () => {
    const { current, ...rest } = FAST[1];
    const first = { ...rest, current: current && { ...current, baseline: 0.5 } };
    const past = { version: "1.2.0", specHash: "g", fromMs: 1, untilMs: 2, soakedMs: 1 };
    const before = [first, { ...first, previous: [past] }].map(
      (record) => servedEntriesOf(records(["fast/istio", record]), DEADLINE)[0]?.baseline,
    );

    expect(before).toEqual([undefined, 0.5]);
  });

  it("is empty before the first version is applied", () => {
    const { current, ...rest } = FAST[1];

    expect(servedEntriesOf(records(["fast/istio", { ...rest, current: undefined, next: current }]), DEADLINE)).toEqual(
      [],
    );
  });
});
