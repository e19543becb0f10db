import { MAX_FILE_BYTES } from "../../../document/snapshot.ts";
import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";

// Each quote has one byte in the file, and two in JSON.
const QUOTES = '"'.repeat(MAX_FILE_BYTES / 2);

/** A template fits into a control plane as it is stored. */
export const templateSize: Rule = {
  id: "template-size",
  group: "template",
  severity: "error",
  waivable: false,
  demand: "A template has at most 1 MiB as JSON.",
  rationale:
    "The API server stores JSON, in which quotes and line ends take more room than in YAML. An object over about 1.5 MB does not fit into etcd, and is refused after the merge.",
  source: "https://etcd.io/docs/v3.6/dev-guide/limit/",
  judge: ({ templates }) =>
    templates.flatMap((template) => {
      const bytes = Buffer.byteLength(JSON.stringify(template.object));
      if (bytes <= MAX_FILE_BYTES) return [];
      const message = `The template has ${bytes} bytes as JSON, more than ${MAX_FILE_BYTES}.`;
      const remedy = "Make it smaller: an object of that size does not fit into a control plane.";
      return [inTemplate(template, [], { message, remedy })];
    }),
  bad: {
    change: bumpTemplate("  data:", `    - { name: '${QUOTES}', link: "https://sample.example.com" }\n  data:`),
    at: { file: FAST, line: "apiVersion: operator.kyma" },
  },
  good: { change: BUMP },
};
