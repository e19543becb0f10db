import { onTestFinished } from "vitest";
import { templateObject } from "../sync/catalogueFiles.ts";
import { pathOf } from "../sync/outside.ts";
import { eventually, type World } from "../sync/world.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

/** Has the API server refuse every write of the ModuleTemplate `refused` in a world, with 422, from now on. */
export async function refuseTemplate({ outside, namespace }: World, refused: string): Promise<void> {
  const bindings = `${POLICIES.replace(/ies$/, "y")}bindings`;
  const rule = { apiGroups: ["operator.kyma-project.io"], apiVersions: ["*"], resources: ["moduletemplates"] };
  const matchConstraints = {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    resourceRules: [{ ...rule, operations: ["CREATE", "UPDATE"] }],
  };
  const validations = [{ expression: `object.metadata.name != "${refused}"`, message: "a rule of the house" }];
  const metadata = { name: namespace };
  await outside.must("POST", POLICIES, { metadata, spec: { matchConstraints, validations, failurePolicy: "Fail" } });
  await outside.must("POST", bindings, { metadata, spec: { policyName: namespace, validationActions: ["Deny"] } });
  onTestFinished(async () => {
    for (const root of [bindings, POLICIES]) await outside.send("DELETE", `${root}/${namespace}`);
  });
  await eventually(async () => {
    const trial = templateObject("trial", refused, { version: "1.0.0" });
    const { status } = await outside.send("POST", `${pathOf("templates", namespace)}?dryRun=All`, {
      ...trial,
      metadata: { name: refused },
    });
    return status === 422;
  });
}
