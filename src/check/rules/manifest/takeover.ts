import { fieldAt, isRecord, listAt, textAt } from "../../../document/fields.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import { apiGroup, mapsAt, namedObject, textsAt, type Fields } from "../../../kubernetes/workload.ts";
import { BUMP, manifestPath, manifestText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { isOfCluster } from "./namespace.ts";
import { eachObject, inManifest } from "./place.ts";

const service = (group: string): string => `${manifestText("1.2.0")}---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: { name: v2.${group} }
spec:
  group: ${group}
  version: v2
  groupPriorityMinimum: 100
  versionPriority: 100
  service: { name: sample, namespace: kyma-system }
`;

/** A module takes over nothing that belongs to the cluster. */
export const manifestTakeover: Rule = {
  id: "manifest-takeover",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand:
    "A manifest serves no API group of Kubernetes, calls no webhook outside the cluster, stops nothing but objects of some kinds when its webhook fails, and changes no labels of a namespace of the cluster.",
  rationale:
    "Each of these works on the whole cluster: a group that another server answers for, a webhook that is down while everything waits for it, data of users that leave the cluster, or a namespace whose protection is off.",
  source: "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/",
  judge: (context) =>
    eachObject(context, function* (object, judged) {
      for (const { path, what, remedy } of takeovers(object))
        yield inManifest(judged, object, path, { message: `${namedObject(object)} ${what}.`, remedy });
    }),
  bad: {
    change: { ...BUMP, [manifestPath("1.2.0")]: service("apps") },
    at: { file: manifestPath("1.2.0"), line: "group: apps" },
    also: ["rights-pod-security"],
  },
  good: { change: { ...BUMP, [manifestPath("1.2.0")]: service("operator.example.com") } },
};

interface Takeover {
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly remedy: string;
}

/** The groups that kube-apiserver serves. Adapters serve `metrics.k8s.io` and its relatives. */
const BUILT_IN =
  /^(?:|apps|autoscaling|batch|extensions|policy|(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|rbac\.authorization|certificates|coordination|discovery|events|(?:flowcontrol|internal)\.apiserver|networking|node|resource|scheduling|storage|storagemigration)\.k8s\.io)$/;

function takeovers(object: ManifestObject): readonly Takeover[] {
  switch (`${apiGroup(object.apiVersion)}/${object.kind}`) {
    case "apiregistration.k8s.io/APIService":
      return ofService(object.value);
    case "admissionregistration.k8s.io/ValidatingWebhookConfiguration":
    case "admissionregistration.k8s.io/MutatingWebhookConfiguration":
      return mapsAt(object.value, "webhooks").flatMap(({ index, value }) => ofWebhook(value, ["webhooks", index]));
    case "apiextensions.k8s.io/CustomResourceDefinition": {
      const path = ["spec", "conversion", "webhook"];
      return outsideUrl(fieldAt(object.value, path), path);
    }
    case "/Namespace":
      return ofNamespace(object);
    default:
      return [];
  }
}

function ofService(value: Fields): readonly Takeover[] {
  const group = textAt(value, ["spec", "group"]) ?? "";
  if (!BUILT_IN.test(group)) return [];
  const what = `serves the API group ${group || "v1"} in place of Kubernetes`;
  return [{ path: ["spec", "group"], what, remedy: "Serve a group of the module." }];
}

function ofWebhook(webhook: Fields, path: Takeover["path"]): readonly Takeover[] {
  const rule = mapsAt(webhook, "rules").find(
    ({ value }) =>
      textsAt(value, "resources").some((text) => ["*", "*/*"].includes(text)) &&
      textsAt(value, "apiGroups").some((text) => ["*", ""].includes(text)),
  );
  const stops = webhook["failurePolicy"] !== "Ignore" && rule !== undefined && !isSelective(webhook);
  const what = "stops everything when its webhook fails";
  const remedy = "List the resources, select the objects, or set failurePolicy to Ignore.";
  return [...(stops ? [{ path: [...path, "rules", rule.index], what, remedy }] : []), ...outsideUrl(webhook, path)];
}

/** Whether a webhook concerns only objects or namespaces that someone has chosen. */
function isSelective(webhook: Fields): boolean {
  const selectors = [webhook["objectSelector"], webhook["namespaceSelector"]];
  const chosen = selectors.some(
    (selector) =>
      Object.keys(isRecord(fieldAt(selector, ["matchLabels"])) ? (fieldAt(selector, ["matchLabels"]) as object) : {})
        .length > 0 ||
      listAt(selector, ["matchExpressions"]).some((one) => ["In", "Exists"].includes(textAt(one, ["operator"]) ?? "")),
  );
  return chosen || listAt(webhook, ["matchConditions"]).length > 0;
}

function outsideUrl(webhook: unknown, at: Takeover["path"]): readonly Takeover[] {
  const url = textAt(webhook, ["clientConfig", "url"]);
  if (url === undefined || (URL.canParse(url) && /\.svc(?:\.cluster\.local)?$/.test(new URL(url).hostname))) return [];
  const what = `sends objects of users to ${url}`;
  return [
    { path: [...at, "clientConfig", "url"], what, remedy: "Name a Service of the module: clientConfig.service." },
  ];
}

/** Labels that protect a namespace. */
const PROTECTION = /^(?:pod-security\.kubernetes\.io\/|istio-injection$)/;

function ofNamespace({ name, value }: ManifestObject): readonly Takeover[] {
  const labels = fieldAt(value, ["metadata", "labels"]);
  const keys = Object.keys(isRecord(labels) ? labels : {}).filter((key) => key !== "kubernetes.io/metadata.name");
  const changed = isOfCluster(name) ? keys : name === "kyma-system" ? keys.filter((key) => PROTECTION.test(key)) : [];
  return changed.map((key) => ({
    path: ["metadata", "labels", key],
    what: `changes the label ${key} of a namespace that it does not make`,
    remedy: "Remove the label, or use a namespace of the module.",
  }));
}
