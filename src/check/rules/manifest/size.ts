import { tooLarge } from "../../../kubernetes/objectSize.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import { BUMP, manifestPath, manifestText } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { eachObject, inManifest } from "./place.ts";

const MAP = `---
apiVersion: v1
kind: ConfigMap
metadata: { name: sample-data, namespace: kyma-system }
data: { text: TEXT }
`;
const withData = (bytes: number): string => manifestText("1.2.0") + MAP.replace("TEXT", "a".repeat(bytes));

/** Objects are small enough for the API server. */
export const manifestSize: Rule = {
  id: "manifest-size",
  group: "manifest",
  severity: "error",
  waivable: true,
  demand: "No ConfigMap or Secret has more than 1 MiB of data, and no object more than 1.5 MB.",
  rationale:
    "The API server refuses a larger object on every cluster, so the module stays half installed. Every reconciliation fails again until a smaller one arrives.",
  source: "https://etcd.io/docs/v3.6/dev-guide/limit/",
  judge: (context) =>
    eachObject(context, (object, judged) => {
      const why = tooLarge(object);
      const remedy = "Split the object, or shorten descriptions.";
      return why === undefined
        ? []
        : [inManifest(judged, object, ["kind"], { message: `${namedObject(object)} ${why}.`, remedy })];
    }),
  bad: {
    change: { ...BUMP, [manifestPath("1.2.0")]: withData(1024 * 1024 + 1) },
    at: { file: manifestPath("1.2.0"), line: "kind: ConfigMap" },
  },
  good: { change: { ...BUMP, [manifestPath("1.2.0")]: withData(1024 * 1024) } },
};
