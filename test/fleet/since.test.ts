import { describe, expect, it } from "vitest";
import { Fleet } from "../../src/fleet/fleet.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { kyma, manifest, only, type Said } from "./istio.ts";

const AT = "2030-01-01T00:00:00Z";
const AT_MS = Date.parse(AT);

/** A Manifest whose state began at AT. */
function changed(one: KubernetesObject): KubernetesObject {
  return { ...one, status: { ...(one["status"] as object), lastOperation: { lastUpdateTime: AT } } };
}

describe("a fleet that is read once", () => {
  it.each<[string, Said, number | undefined]>([
    [
      "Ready since all modules are",
      { conditions: [{ type: "Modules", status: "True", lastTransitionTime: AT }] },
      AT_MS,
    ],
    [
      "Ready beside a failing one",
      { conditions: [{ type: "Modules", status: "False", lastTransitionTime: AT }] },
      undefined,
    ],
    [
      "failing, even if lifecycle-manager just checked it",
      { state: "Error", conditions: [{ type: "Modules", status: "False", lastTransitionTime: AT }] },
      undefined,
    ],
    [
      "failing although all modules are Ready",
      { state: "Error", conditions: [{ type: "Modules", status: "True", lastTransitionTime: AT }] },
      undefined,
    ],
    [
      "Ready without a valid time",
      { conditions: [{ type: "Modules", status: "True", lastTransitionTime: "never" }] },
      undefined,
    ],
    [
      "Ready according to another condition",
      { conditions: [{ type: "SKRWebhook", status: "True", lastTransitionTime: AT }] },
      undefined,
    ],
  ])("knows since when a module is %s", (_, said, sinceMs) => {
    const fleet = new Fleet();
    fleet.setKyma(kyma("a", said));

    expect(only(fleet)?.sinceMs).toBe(sinceMs);
  });

  it.each<[string, KubernetesObject, number | undefined]>([
    ["as its Manifest says", changed(manifest("m", "a", "1.0.0", "Error")), AT_MS],
    ["unknown: its Manifest is in another state", changed(manifest("m", "a", "1.0.0", "Ready")), undefined],
    ["unknown: its Manifest has another version", changed(manifest("m", "a", "1.1.0", "Error")), undefined],
  ])("knows since when a module fails: %s", (_, said, sinceMs) => {
    const fleet = new Fleet();
    fleet.setKyma(kyma("a", { state: "Error" }));
    fleet.setManifest(said);

    expect(only(fleet)?.sinceMs).toBe(sinceMs);
  });
});
