import { describe, expect, it } from "vitest";
import { Fleet } from "../../src/fleet/fleet.ts";
import { usersEverywhere } from "../../src/fleet/users.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { apiVersion, manifest, PREFIX } from "./istio.ts";

/** The users of istio among Kymas that do not enable it, and one that lifecycle-manager skips. */
function usersOf(kymas: readonly string[], ...manifests: readonly KubernetesObject[]): unknown {
  const fleet = new Fleet();
  for (const name of kymas) fleet.setKyma({ apiVersion, kind: "Kyma", metadata: { name } });
  const labels = { [`${PREFIX}/skip-reconciliation`]: "true" };
  fleet.setKyma({ apiVersion, kind: "Kyma", metadata: { name: "skipped", labels } });
  for (const one of manifests) fleet.setManifest(one);
  const users = fleet.users();
  return users.kind === "known" && usersEverywhere(users, "istio").map(({ name, installed }) => [name, installed]);
}

describe("the users of a module that is for every cluster", () => {
  it("are also the reconciled Kymas that have no Manifest of it", () => {
    expect(usersOf(["a", "b", "c"], manifest("m", "b", "1.2.0"))).toEqual([
      ["Manifest m", "1.2.0"],
      ["Kyma a", undefined],
      ["Kyma c", undefined],
    ]);
  });

  it.each(["", "gone"])("are not fewer for a Manifest of no Kyma (%j), which is no cluster", (kyma) => {
    expect(usersOf(["a", "b"], manifest("m", kyma, "1.2.0"))).toEqual([
      ["Manifest m", "1.2.0"],
      ["Kyma a", undefined],
      ["Kyma b", undefined],
    ]);
  });

  it("are none without Kymas", () => {
    expect(usersOf([])).toEqual([]);
  });
});
