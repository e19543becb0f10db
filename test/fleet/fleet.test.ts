import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fleet } from "../../src/fleet/fleet.ts";
import type { Sighting } from "../../src/fleet/rows.ts";
import { NO_USERS, type Users } from "../../src/fleet/users.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { apiVersion, kyma, manifest, only, PREFIX, usersIn, type Said } from "./istio.ts";

/** A seen change. */
const at = (nowMs: number): Sighting => ({ nowMs, isFirst: false });

describe("a fleet that changes", () => {
  it("knows since when a state lasts: from the first observation, or from its change", () => {
    const fleet = new Fleet();
    fleet.setKyma(kyma("a"), at(1));
    fleet.setKyma(kyma("a"), at(2));
    const first = only(fleet)?.sinceMs;
    fleet.setKyma(kyma("a", { state: "Error" }), at(3));
    const failed = only(fleet)?.sinceMs;
    fleet.setKyma(kyma("a", { state: "Ready" }), at(4));
    const recovered = only(fleet)?.sinceMs;
    fleet.setKyma(kyma("a", { state: "Ready", version: "1.1.0" }), at(5));

    expect([first, failed, recovered, only(fleet)?.sinceMs]).toEqual([1, 3, 4, 5]);
  });

  it.each(["Error", "Warning", "Processing"])(
    "does not take the state %s of an earlier version for that of the next",
    (state) => {
      const fleet = new Fleet();
      fleet.setKyma(kyma("a", { state }), at(1));
      fleet.setKyma(kyma("a", { state, version: "1.1.0" }), at(2));
      const other = new Fleet();
      other.setManifest(manifest("m", "b", "1.0.0", state), at(3));
      other.setManifest(manifest("m", "b", "1.1.0", state), at(4));

      expect([only(fleet)?.sinceMs, only(other)?.sinceMs]).toEqual([1, 3]);
    },
  );

  it("knows the same of Manifests that no Kyma mentions", () => {
    const fleet = new Fleet();
    fleet.setManifest(manifest("m", "a", "1.0.0", "Ready"), at(1));
    fleet.setManifest(manifest("m", "a", "1.0.0", "Ready"), at(2));
    const first = only(fleet);
    fleet.setManifest(manifest("m", "a", "1.1.0", "Ready"), at(3));
    const raised = only(fleet)?.sinceMs;
    fleet.setManifest(manifest("m", "a", "1.1.0", "Error"), at(4));

    expect(first).toEqual({
      channels: [],
      state: "Ready",
      sinceMs: 1,
      leftOut: undefined,
      isWaiting: false,
      cause: undefined,
    });
    expect([raised, only(fleet)?.sinceMs]).toEqual([3, 4]);
  });

  it.each<[string, string | undefined, string | undefined]>([
    ["Error", "Ready", "Error"],
    ["Ready", "Warning", "Warning"],
    ["Error", "Warning", "Error"],
    ["Ready", "Processing", "Processing"],
    ["Processing", undefined, undefined],
    ["Ready", "Deleting", "Ready"],
    ["Ready", "Ready", "Ready"],
  ])("knows the worse state of two Manifests of a Kyma: %s beside %s", (state, other, expected) => {
    const fleet = new Fleet();
    fleet.setManifest(manifest("m", "a", "1.0.0", state));
    fleet.setManifest(manifest("n", "a", "1.0.0", other));

    expect(usersIn(fleet).map(({ condition }) => condition.state)).toEqual([expected]);
  });

  it("knows the state of the higher version of two Manifests of a Kyma", () => {
    const fleet = new Fleet();
    fleet.setManifest(manifest("m", "a", "1.0.0", "Error"));
    fleet.setManifest(manifest("n", "a", "1.1.0", "Ready"));

    expect(usersIn(fleet)).toMatchObject([{ installed: "1.1.0", condition: { state: "Ready" } }]);
  });

  it("knows why a module is not Ready, and whether it waits for a maintenance window", () => {
    const message = "cannot reach blue-falcon: 3 pods";
    const fleet = new Fleet();
    fleet.setKyma(kyma("blue-falcon", { state: "Error", more: { message, maintenance: true } }));
    fleet.setKyma(kyma("b", { more: { message, maintenance: "odd" } }));
    const manifests = new Fleet();
    manifests.setManifest(manifest("m", "blue-falcon", "1.0.0", "Error", message));
    manifests.setManifest(manifest("n", "b", "1.0.0", "Ready", message));
    manifests.setManifest(manifest("o", "c", "1.0.0"));

    expect(usersIn(fleet).map(({ condition: { cause, isWaiting } }) => [cause, isWaiting])).toEqual([
      ["cannot reach …: … pods", true],
      [undefined, false],
    ]);
    expect(usersIn(manifests).map(({ condition: { cause, isWaiting } }) => [cause, isWaiting])).toEqual([
      ["cannot reach …: … pods", false],
      [undefined, false],
      [undefined, false],
    ]);
  });

  it("counts its Kymas, even those that use no module", () => {
    const fleet = new Fleet();
    fleet.setKyma(kyma("a"));
    fleet.setKyma({ apiVersion, kind: "Kyma", metadata: { name: "bare" } });

    expect(fleet.users()).toMatchObject({ kymas: new Set(["a", "bare"]) });
  });

  it("knows the region of each cluster, and the Kyma of each Manifest, if it exists", () => {
    const inRegion = (region: string): Said => ({ metadata: { labels: { "kyma-project.io/region": region } } });
    const fleet = new Fleet();
    fleet.setKyma(kyma("a", inRegion("eu10")));
    fleet.setKyma(kyma("b"));
    fleet.setManifest(manifest("m", "c", "1.0.0"));
    fleet.setManifest(manifest("n", "", "1.0.0"));
    const before = fleet.users();
    fleet.setKyma(kyma("a", inRegion("us10")));

    expect(before).toMatchObject({ regions: new Map([["a", "eu10"]]) });
    expect(fleet.users()).toMatchObject({ regions: new Map([["a", "us10"]]) });
    expect(usersIn(fleet).map((user) => user.kyma)).toEqual(["b", "a", undefined, undefined]);
    fleet.setKyma({ ...kyma("c"), status: {} });
    expect(usersIn(fleet).map((user) => user.kyma)).toEqual(["b", "a", "c", undefined]);
    fleet.removeKyma("a");
    fleet.removeKyma("c");
    expect(usersIn(fleet).map((user) => user.kyma)).toEqual(["b", undefined, undefined]);
    expect(fleet.users()).toMatchObject({ regions: new Map() });
  });

  it.each<[string, string, Said]>([
    ["a module that is not managed", "unmanaged", { managed: false }],
    ["a module that lifecycle-manager calls unmanaged", "unmanaged", { state: "Unmanaged" }],
    ["a module that is being deleted", "deleting", { state: "Deleting" }],
    ["a Kyma that is being deleted", "deleting", { metadata: { deletionTimestamp: "2030-01-01T00:00:00Z" } }],
    ["a Kyma in the state Deleting", "deleting", { kymaState: "Deleting" }],
    [
      "a Kyma that is left out of reconciliation",
      "skipped",
      { metadata: { labels: { [`${PREFIX}/skip-reconciliation`]: "true" } } },
    ],
  ])("does not count %s", (_, leftOut, said) => {
    const fleet = new Fleet();
    fleet.setKyma(kyma("a", said));
    fleet.setKyma(kyma("b"));

    expect(usersIn(fleet).map(({ condition }) => condition.leftOut)).toEqual([leftOut, undefined]);
  });

  it("does not count the Manifest of a Kyma that is left out, even if the Kyma does not mention its module", () => {
    const fleet = new Fleet();
    const leftOut = (): unknown => only(fleet)?.leftOut;
    const kymaWith = (labels: Record<string, string>): KubernetesObject => ({
      ...{ apiVersion, kind: "Kyma" },
      metadata: { name: "a", labels },
    });
    fleet.setManifest(manifest("m", "a", "1.0.0"));
    fleet.setKyma(kymaWith({ [`${PREFIX}/skip-reconciliation`]: "true" }));
    const before = fleet.users();

    expect([leftOut(), before]).toMatchObject(["skipped", { kymas: new Set(["a"]), leftOut: new Set(["a"]) }]);
    fleet.setKyma(kymaWith({}));
    expect([leftOut(), fleet.users()]).toMatchObject([undefined, { kymas: new Set(["a"]), leftOut: new Set() }]);
    fleet.setKyma(kymaWith({ [`${PREFIX}/skip-reconciliation`]: "true" }));
    fleet.removeKyma("a");
    expect([leftOut(), fleet.users()]).toMatchObject([undefined, { kymas: new Set(), leftOut: new Set() }]);
  });

  it("forgets deleted objects, and the templates that they named", () => {
    const fleet = new Fleet();
    fleet.setKyma(kyma("a"));
    fleet.setManifest(manifest("m", "a", "1.0.0"));
    const before = fleet.users();
    fleet.removeKyma("a");
    fleet.removeKyma("a");
    fleet.removeManifest("m");
    fleet.removeManifest("m");
    const after = fleet.users();

    expect([fleet.kymas, fleet.manifests]).toEqual([[], []]);
    expect(after).toEqual(NO_USERS);
    expect(before.kind === "known" && before.templates.get("istio-1.0.0")?.count).toBe(2);
  });

  it("equals a newly read fleet after any sequence of changes", () => {
    const name = fc.constantFrom("a", "b", "c");
    const version = fc.constantFrom("1.0.0", "1.1.0");
    const event = fc.oneof(
      fc.record({ kind: fc.constant("kyma" as const), name, version }),
      fc.record({ kind: fc.constant("manifest" as const), name, of: name, version }),
      fc.record({ kind: fc.constantFrom("no kyma" as const, "no manifest" as const), name }),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const [kymas, manifests] = [new Map<string, KubernetesObject>(), new Map<string, KubernetesObject>()];
        const fleet = new Fleet();
        for (const one of events) {
          if (one.kind === "kyma") kymas.set(one.name, kyma(one.name, one));
          else if (one.kind === "manifest") manifests.set(one.name, manifest(one.name, one.of, one.version));
          else (one.kind === "no kyma" ? kymas : manifests).delete(one.name);
          follow(fleet, one, kymas.get(one.name), manifests.get(one.name));
          expect(fleet.users()).toBe(fleet.users());
        }
        const read = new Fleet();
        for (const one of kymas.values()) read.setKyma(one);
        for (const one of manifests.values()) read.setManifest(one);
        expect(inOrder(fleet.users())).toEqual(inOrder(read.users()));
      }),
    );
  });
});

type Found = KubernetesObject | undefined;

function follow(fleet: Fleet, { kind, name }: { kind: string; name: string }, one: Found, other: Found): void {
  if (kind.endsWith("kyma")) {
    if (one === undefined) fleet.removeKyma(name);
    else fleet.setKyma(one);
  } else if (other === undefined) fleet.removeManifest(name);
  else fleet.setManifest(other);
  fleet.users();
}

/** Users sorted by name: their order of arrival does not matter. */
function inOrder(users: Users): unknown {
  if (users.kind === "unknown") return users;
  const rows = [...(users.modules.get("istio") ?? [])].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [rows, Object.fromEntries(users.templates)];
}
