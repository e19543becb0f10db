import { versionKey } from "../../../catalogue/lookup.ts";
import type { Channel, Module } from "../../../catalogue/catalogue.ts";
import type { ModuleName } from "../../../catalogue/names.ts";
import type { Template } from "../../../catalogue/template.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import type { ChannelStep, Context } from "../../context.ts";
import { definitionsIn } from "../../../kubernetes/customDefinitions.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import { gatheredFact, wholeManifest } from "../../facts.ts";
import { inTemplate, unjudged, violation, type Complaint, type Rule, type Violation } from "../../rule.ts";
import { inManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { apiText, servedApis, definitionVersions, type ServedApi } from "./apis.ts";
import { channelsWith, otherRequiring, requirementsUnknown, serviceIn } from "./neighbours.ts";

const OTHER = otherRequiring("{ group: operator.example.com, version: v1, kind: Sample }");

/** Modules keep the APIs that they require. */
export const dependencyRemoved: Rule = {
  id: "dependency-removed",
  group: "dependencies",
  severity: "error",
  waivable: true,
  demand: "No step removes an API that another module of the channel requires.",
  rationale:
    "The other module stops working although its team changed nothing. The team learns of it from the clusters.",
  source: "https://kubernetes.io/docs/reference/using-api/deprecation-policy/",
  judge: function* (context) {
    for (const step of context.steps) yield* judgeStep(context, step);
  },
  bad: {
    base: OTHER,
    change: bumpManifest("served: true", "served: false"),
    at: { file: manifestPath("1.2.0"), line: "served: false" },
    also: ["crd-compatible", "default-cr-valid", "default-cr-served"],
  },
  good: { base: OTHER, change: BUMP },
};

function* judgeStep(context: Context, step: ChannelStep): ManifestOutcomes {
  if (step.from === undefined) return;
  const neighbours = dependentNeighbours(context, step);
  for (const { name } of neighbours) {
    const why = requirementsUnknown(context, name);
    if (why !== undefined) yield unjudged(why, step.to);
  }
  const users = usersAmong(neighbours, context);
  if (users.length === 0) return;
  const before = wholeManifest(context.facts.servedManifests, versionKey(step.from));
  if (before.kind === "unknown") {
    yield unjudged(`the APIs of ${step.from.module} ${step.from.version} are unknown: ${before.why}`, step.to);
    return;
  }
  for (const served of servedApis(before.value)) {
    for (const user of users) yield* judgeUser(context, step, served, user);
  }
}

/** Another module of a channel that requires APIs. */
interface User {
  readonly channel: Channel;
  readonly module: Module;
  readonly file: YamlFile;
}

function usersAmong(neighbours: readonly Neighbour[], context: Context): readonly User[] {
  return neighbours.flatMap(({ channel, name }) => {
    const module = context.head.modules.get(name);
    const file = module?.files.module;
    return module?.says.requires === undefined || file === undefined ? [] : [{ channel, module, file }];
  });
}

/** Another module of a channel whose clusters can have the module of a step. */
interface Neighbour {
  readonly channel: Channel;
  readonly name: ModuleName;
}

function dependentNeighbours(context: Context, step: ChannelStep): readonly Neighbour[] {
  return channelsWith(context, step.channel).flatMap((channel) =>
    [...channel.templates.keys()].flatMap((name) => (name === step.module ? [] : [{ channel, name }])),
  );
}

function judgeUser(context: Context, step: ChannelStep, served: ServedApi, user: User): ManifestOutcomes {
  const { requires = [] } = user.module.says;
  const index = requires.findIndex((api) => apiText(api) === apiText(served.api));
  if (index < 0) return [];
  const what = `${apiText(served.api)}, which ${user.module.name} in ${user.channel.name} requires`;
  switch (serviceIn(context, user.channel, served.api)) {
    case "served":
      return [];
    case "unknown":
      return [unjudged(`it is unknown whether anything else serves ${what}: some manifests are unknown`, step.to)];
    case "not-served": {
      const message = `With ${step.module} ${step.to?.version ?? "gone"} nothing serves ${what}.`;
      const complaint = { message, remedy: "Keep serving it until no module of the channel requires it." };
      // The file of a removed entry is gone, so the finding is at the module that requires the API.
      if (step.to === undefined) return [violation(user.file, ["requires", index], complaint)];
      return [inVersion(context, step.to, served, complaint)];
    }
  }
}

function inVersion({ facts }: Context, template: Template, served: ServedApi, complaint: Complaint): Violation {
  const fact = gatheredFact(facts.manifests, versionKey(template));
  const objects = fact.kind === "known" ? definitionsIn(fact.value) : [];
  const definition = objects.find(({ object }) => object.name === served.definition)?.object;
  if (fact.kind !== "known" || definition === undefined) return inTemplate(template, ["spec", "version"], complaint);
  const version = definitionVersions(definition.value).find(({ value }) => value["name"] === served.api.version);
  const path = version === undefined ? ["spec", "versions"] : ["spec", "versions", version.index, "served"];
  return inManifest({ template, manifest: fact.value }, definition, path, complaint);
}
