import type { Channel } from "../../../catalogue/catalogue.ts";
import type { RequiredApi } from "../../../catalogue/policy.ts";
import { apiLifecycle, kubernetesMinor } from "../../../kubernetes/deprecatedApis.ts";
import { scopeOfKind } from "../../../kubernetes/objectKinds.ts";
import type { Context } from "../../context.ts";
import { MODULE, REGULAR } from "../../example.ts";
import { unjudged, violation, type Rule } from "../../rule.ts";
import { touchedModuleFiles, type ModuleWithFile } from "../../touched.ts";
import { kubernetesVersions } from "../manifest/apiRemoved.ts";
import { templateSubject, type ManifestOutcomes } from "../manifest/place.ts";
import { apiText } from "./apis.ts";
import { requirementsUnknown, requiring, serviceIn } from "./neighbours.ts";

/** The APIs that a module requires are served. */
export const dependencyServed: Rule = {
  id: "dependency-served",
  group: "dependencies",
  severity: "error",
  waivable: true,
  demand:
    "Every API that a module requires is served by Kubernetes, or by a module of each channel that serves the module.",
  rationale:
    "A cluster takes its modules from one channel, unless its Kyma names another one for a module (then this is a warning). If nothing serves the API, the manager of the module does not start, or fails at the first object that it creates, although it worked in the channel in which the module was tried.",
  source: "https://kubernetes.io/docs/concepts/extend-kubernetes/api-extension/custom-resources/",
  judge: function* (context) {
    const judged = new Set(context.templates.map(({ module }) => module));
    for (const template of context.templates) {
      const why = requirementsUnknown(context, template.module);
      if (why !== undefined) yield unjudged(why, template);
    }
    const touched = new Set(touchedModuleFiles(context).map(({ module }) => module.name));
    for (const module of context.head.modules.values()) {
      const file = module.files.module;
      if (file === undefined || !(judged.has(module.name) || touched.has(module.name))) continue;
      for (const channel of context.head.channels.values())
        for (const [index, api] of (module.says.requires ?? []).entries())
          yield* judgeApi(context, channel, { module, file }, { api, index });
    }
  },
  bad: {
    base: { [REGULAR]: undefined },
    change: { [MODULE]: requiring("{ group: other.example.com, version: v1, kind: Other }") },
    at: { file: MODULE, line: "requires:" },
  },
  good: { change: { [MODULE]: requiring("{ group: operator.example.com, version: v1, kind: Sample }") } },
};

/** An API that a module requires, and its place in the list. */
interface Requirement {
  readonly api: RequiredApi;
  readonly index: number;
}

function judgeApi(
  context: Context,
  channel: Channel,
  { module, file }: ModuleWithFile,
  { api, index }: Requirement,
): ManifestOutcomes {
  const template = channel.templates.get(module.name);
  if (template === undefined) return [];
  const subject = templateSubject(template);
  const what = `${module.name} ${template.version} of ${channel.name} requires ${apiText(api)}`;
  const remedy = "Correct the API, or bring the module that serves it into the channel first.";
  const missing = (message: string, others: readonly string[] = []): ManifestOutcomes => {
    const only = others.length === 0 ? {} : ({ severity: "warning" } as const);
    const text = others.length === 0 ? message : `${message} Clusters must take it from ${others.join(" or ")}.`;
    return [violation(file, ["requires", index], { message: text, remedy, ...only }, subject)];
  };
  const gone = goneFromKubernetes(context, api);
  if (gone !== undefined)
    return gone.length === 0 ? [] : missing(`${what}, which Kubernetes ${gone.join(", ")} does not serve.`);
  switch (serviceIn(context, channel, api)) {
    case "served":
      return [];
    case "unknown":
      return [
        unjudged(`it is unknown whether ${channel.name} serves ${apiText(api)}: some manifests are unknown`, subject),
      ];
    case "not-served": {
      // A Kyma can take single modules from a channel other than its own.
      const others = [...context.head.channels.values()].filter((other) => serviceIn(context, other, api) === "served");
      return missing(
        `${what}, which neither Kubernetes nor any module of ${channel.name} serves.`,
        others.map(({ name }) => name),
      );
    }
  }
}

/** The Kubernetes versions that no longer serve an API of Kubernetes; `undefined` for other APIs. */
function goneFromKubernetes(context: Context, { group, version, kind }: RequiredApi): readonly string[] | undefined {
  const apiVersion = `${group}/${version}`;
  if (scopeOfKind(apiVersion, kind) === undefined) return undefined;
  const removed = apiLifecycle(apiVersion, kind)?.removed ?? Infinity;
  return kubernetesVersions(context).filter((candidate) => removed <= kubernetesMinor(candidate));
}
