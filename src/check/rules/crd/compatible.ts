import { counted } from "../../../document/counted.ts";
import { CHECKS } from "../../../kubernetes/crd/checks.ts";
import type { ManifestObject } from "../../../kubernetes/manifest.ts";
import type { ModuleVersion } from "../../../catalogue/version.ts";
import { blockLines, hang } from "../../../document/yaml/print.ts";
import { BUMP, bumpManifest, manifestPath } from "../../example.ts";
import type { ConfirmedChange, CustomResources, DefinitionComparison } from "../../facts.ts";
import { inTemplate, unjudged, type Complaint, type Rule, type Violation } from "../../rule.ts";
import { inManifest, type JudgedManifest, type ManifestOutcomes } from "../manifest/place.ts";
import { templateManifests, metBy } from "../manifest/serving.ts";
import { eachResources, objectsAt } from "./resources.ts";

/** Objects of versions in service stay valid. */
export const crdCompatible: Rule = {
  id: "crd-compatible",
  group: "crd",
  severity: "error",
  waivable: true,
  demand: "The new definitions accept everything that the definitions of the versions in service accept.",
  rationale:
    "The objects of users outlive every upgrade, and so do the files that they were created from. An object that the new definition refuses cannot be created again, whether from Git, from a backup, or on another cluster. Kubernetes keeps a stored value as long as it is not changed, unless a rule judges it together with others; a field that is dropped is lost with the next write. The damage shows on clusters of users, and cannot be undone.",
  source: "https://kubernetes.io/docs/reference/using-api/deprecation-policy/",
  judge: (context) =>
    eachResources(context, function* (resources, judged) {
      yield* templateManifests(context, judged.template, metBy(context, judged.template)).missing;
      yield* gone(resources, judged);
      for (const { violation } of definitionBreaks(resources, judged)) yield violation;
      yield* unansweredBreaks(resources, judged);
    }),
  bad: {
    change: bumpManifest("maximum: 5", "maximum: 3"),
    at: { file: manifestPath("1.2.0"), line: "maximum: 3" },
  },
  good: { change: { ...BUMP, ...bumpManifest("maximum: 5", "maximum: 7") } },
};

function gone({ against }: CustomResources, { template }: JudgedManifest): ManifestOutcomes {
  const lost = new Map<string, string[]>();
  for (const { served, definitions } of against)
    for (const { index, name } of definitions)
      if (index < 0) lost.set(name, [...(lost.get(name) ?? []), served.version]);
  return [...lost].map(([name, versions]) => {
    const message = `The CustomResourceDefinition ${name} is gone; it was in ${versions.join(", ")}. Its removal deletes every object of the kind.`;
    const remedy = "Keep the definition until no cluster has such objects.";
    return inTemplate(template, ["spec", "version"], { message, remedy });
  });
}

/** A finding of this rule, and its subject. */
export interface Break {
  readonly violation: Violation;
  /** As the judged version defines it. */
  readonly definition: ManifestObject;
  readonly change: ConfirmedChange;
  /** The versions in service that it breaks. */
  readonly versions: readonly ModuleVersion[];
}

/** A change, and the versions in service that it concerns. */
interface FoundBreak {
  readonly definition: DefinitionComparison;
  readonly change: ConfirmedChange;
  readonly impact: keyof typeof KNOWLEDGE;
  readonly versions: ModuleVersion[];
  /** The number of tried objects of all versions. */
  tried: number;
}

/** All changes of a version that may break something. */
export function definitionBreaks({ against }: CustomResources, judged: JudgedManifest): readonly Break[] {
  const found = new Map<string, FoundBreak>();
  for (const { served, definitions } of against)
    for (const definition of definitions)
      for (const change of definition.changes) {
        const impact = changeImpact(change);
        if (impact === "safe" || impact === "unanswered") continue;
        const { check, version = "", field, message, tried } = change;
        const key = JSON.stringify([definition.index, check, version, field, message, impact]);
        const known = found.get(key);
        if (known === undefined) found.set(key, { definition, change, impact, versions: [served.version], tried });
        else {
          known.versions.push(served.version);
          known.tried += tried;
        }
      }
  return [...found.values()].flatMap((one) =>
    objectsAt(judged, one.definition.index).map((definition) => ({
      violation: inManifest(judged, definition, one.change.path, breakComplaint(one)),
      definition,
      change: one.change,
      versions: one.versions,
    })),
  );
}

/** Reports every change that may break something, and of which Kubernetes' validation did not judge an object. */
function unansweredBreaks({ against }: CustomResources, { template }: JudgedManifest): ManifestOutcomes {
  const definitions = against.flatMap((served) => served.definitions);
  return definitions.flatMap(({ name, changes }) =>
    changes
      .filter((change) => changeImpact(change) === "unanswered")
      .map((change) =>
        unjudged(`${changePlace(change, name)}: ${change.message} Not judged: ${String(change.why)}`, template),
      ),
  );
}

/** Severity and wording of a change, by what is known of it. */
const KNOWLEDGE = {
  proven: { severity: "error", verb: "Breaks", isSure: true },
  certain: { severity: "error", verb: "Breaks", isSure: true },
  unknown: { severity: "warning", verb: "May break", isSure: true },
  status: { severity: "warning", verb: "Risky for", isSure: false },
  risky: { severity: "warning", verb: "Risky for", isSure: false },
} as const;

function changeImpact(change: ConfirmedChange): keyof typeof KNOWLEDGE | "safe" | "unanswered" {
  const { check, class: impact, certain, confirmation } = change;
  if (confirmation === "confirmed") return "proven";
  if (impact === "safe") return "safe";
  const isCertain = impact === "breaking" && certain && confirmation !== "refuted";
  if (isCertain) return "certain";
  if (confirmation === "unanswered") return "unanswered";
  if (impact === "breaking") return "unknown";
  return CHECKS[check].class === "breaking" ? "status" : "risky";
}

function breakComplaint({ definition, change, impact, versions, tried }: FoundBreak): Complaint {
  const { severity, verb, isSure } = KNOWLEDGE[impact];
  const texts = {
    proven:
      change.became === undefined ? REFUSES[change.stored ?? "unknown"] : "nothing is refused, but something is lost",
    certain: "it follows from the schema",
    unknown: `${counted(tried, "object")} tried`,
    status: "only the controller writes the status",
    risky: "nothing is refused, but something behaves differently",
  };
  const word = isSure ? ` (${impact})` : "";
  return {
    message: `${changePlace(change, definition.name)}: ${change.message} ${verb} ${versions.join(", ")}${word}: ${texts[impact]}.`,
    ...(impact === "proven" && { example: proofText(change) }),
    remedy: change.remedy,
    severity,
  };
}

/** The definition, its version, and the field unless the message names it. */
function changePlace({ version, field, message }: ConfirmedChange, definition: string): string {
  const isNamed = field === "." || message.includes(field);
  return `${definition}${version === undefined ? "" : ` ${version}`}${isNamed ? "" : ` ${field}`}`;
}

const REFUSES = {
  accepted: "it refuses new objects; a stored one can still be changed",
  refused: "it refuses new objects, and changes of stored ones, too",
  unknown: "it is refused now",
} as const;

/** The proof, as YAML. */
function proofText({ object, from, became }: ConfirmedChange): string {
  const parts: readonly (readonly [string, unknown])[] =
    became !== undefined
      ? [
          ["After writing this:", object],
          ["this is left:", became],
        ]
      : from === undefined
        ? [["This was accepted, and is refused now:", object]]
        : [
            ["To change this was accepted, and is refused now:", from],
            ["to this:", object],
          ];
  return parts.flatMap(([title, value]) => [title, ...hang("  ", "  ", blockLines(value))]).join("\n");
}
