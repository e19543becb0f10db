import { bumpManifest, BUMP, manifestPath } from "../../example.ts";
import { inTemplate, type Rule, type Violation } from "../../rule.ts";
import type { Finding } from "../../../document/finding.ts";
import { eachFound, linkPath, unreadable, type JudgedManifest } from "./place.ts";

/** A manifest can be read, and all readers read it alike. */
export const manifestSyntax: Rule = {
  id: "manifest-syntax",
  group: "manifest",
  severity: "error",
  waivable: false,
  demand: "The manifest of a version is YAML that every reader reads alike.",
  rationale:
    "lifecycle-manager cannot render a module with a document that cannot be read: the cluster keeps its version, and the Manifest goes into Error. If two readers understand a document differently, something else may be installed than was reviewed.",
  source: "https://yaml.org/spec/1.2.2/",
  judge: (context) =>
    eachFound(context, (judged) => judged.manifest.findings.map((finding) => refusal(judged, finding))),
  bad: {
    change: bumpManifest("  replicas: 1\n", "  replicas: 1\n  replicas: 2\n"),
    at: { file: manifestPath("1.2.0"), line: "replicas: 2" },
  },
  good: { change: BUMP },
};

function refusal({ template, manifest }: JudgedManifest, finding: Finding): Violation {
  if (manifest.isLocal) return unreadable(finding, template);
  const { line, message, remedy } = finding;
  const where = `${manifest.source}, line ${line}: ${message}`;
  return inTemplate(template, linkPath(template), { message: where, remedy });
}
