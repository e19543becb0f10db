import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";

/** The schema that OASIS publishes lies beside this repository, where it lies at all. */
const OFFICIAL = join(import.meta.dirname, "../../../../shared/sarif/sarif-schema-2.1.0.json");

const ajv = new Ajv({
  strict: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    "uri-reference": (text: string) => URL.canParse(text, "https://example.com/"),
    "date-time": (text: string) => !Number.isNaN(Date.parse(text)),
  },
});

/** Validates against the schema of OASIS; `undefined` where it is not at hand. */
export function officialSarif(): ValidateFunction | undefined {
  if (!existsSync(OFFICIAL)) return undefined;
  // Draft 4 calls the name of a schema `id`; all else that it holds means the same in draft 7.
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(OFFICIAL, "utf8")) as Record<string, unknown>;
  return ajv.compile(schema);
}

const object = (required: Record<string, object>, optional: Record<string, object> = {}): object => ({
  type: "object",
  required: Object.keys(required),
  additionalProperties: false,
  properties: { ...required, ...optional },
});
const list = (items: object): object => ({ type: "array", items });
const one = (...values: readonly (string | boolean)[]): object => ({ enum: values });
const string = { type: "string" };
const message = object({ text: { type: "string", minLength: 1 } });
const level = one("error", "warning", "note");
const index = { type: "integer", minimum: 0 };
const place = { type: "integer", minimum: 1 };

const location = object({
  physicalLocation: object({
    artifactLocation: object({ uri: { type: "string", format: "uri-reference" } }, { uriBaseId: one("%SRCROOT%") }),
    region: object({ startLine: place }, { startColumn: place }),
  }),
});

const rule = object(
  { id: string },
  {
    shortDescription: message,
    fullDescription: message,
    help: message,
    helpUri: { type: "string", format: "uri" },
    defaultConfiguration: object({ level }),
  },
);

const notification = object({ level, message, associatedRule: object({ id: string, index }) });

const result = object({
  ruleId: string,
  ruleIndex: index,
  level,
  message,
  locations: { type: "array", items: location, minItems: 1, maxItems: 1 },
  partialFingerprints: object({ "kymaModulesFinding/v1": { type: "string", pattern: "^[0-9a-f]{32}:[1-9][0-9]*$" } }),
  suppressions: list(object({ kind: one("external"), status: one("accepted"), justification: string, location })),
});

const run = object({
  tool: object({
    driver: object({
      name: string,
      semanticVersion: string,
      rules: { type: "array", items: rule, uniqueItems: true },
    }),
  }),
  automationDetails: object({ id: string }),
  columnKind: one("utf16CodeUnits"),
  invocations: list(
    object({
      executionSuccessful: one(true),
      endTimeUtc: { type: "string", format: "date-time" },
      toolExecutionNotifications: list(notification),
    }),
  ),
  results: list(result),
  properties: { type: "object" },
});

/** Validates against the part of SARIF 2.1.0 that we write, member by member as the standard describes it. */
export const ourSarif: ValidateFunction = ajv.compile(
  object({ version: one("2.1.0"), $schema: { type: "string", format: "uri" }, runs: list(run) }),
);
