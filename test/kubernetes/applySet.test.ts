import { describe, expect, it } from "vitest";
import { applySetId, applySetParent } from "../../src/kubernetes/applySet.ts";

describe("the ApplySet", () => {
  it("has the id that the specification computes from name, namespace, kind and group", () => {
    // printf kyma-modules.kcp-system.ConfigMap. | openssl dgst -sha256 -binary | basenc --base64url
    expect(applySetId("kcp-system")).toBe("applyset-arfVqzJWp34Ktrui0maUGyxcpREp7SUtZa6cd9dNANk-v1");
  });

  it("has a different id in each namespace", () => {
    expect(applySetId("other")).not.toBe(applySetId("kcp-system"));
  });

  it("has a parent with its id, its tool and the kinds of its members, in order", () => {
    expect(applySetParent("kcp-system")).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "kyma-modules",
        namespace: "kcp-system",
        labels: { "applyset.kubernetes.io/id": applySetId("kcp-system") },
        annotations: {
          "applyset.kubernetes.io/tooling": "kyma-modules/v1",
          "applyset.kubernetes.io/contains-group-kinds":
            "ModuleReleaseMeta.operator.kyma-project.io,ModuleTemplate.operator.kyma-project.io",
        },
      },
    });
  });
});
