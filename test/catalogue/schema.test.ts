import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { SCHEMAS, validate } from "../../src/catalogue/schema.ts";
import { mentions } from "../support/mentions.ts";
import { EXAMPLES } from "./schemaExamples.ts";

describe("validate", () => {
  it("reports the expected and the actual value, at the place", () => {
    expect(validate("channel", { ...EXAMPLES.channel, landscapes: ["dev", "Prod"] })).toEqual([
      {
        path: ["landscapes", 1],
        message: mentions("landscape name", "63", '"Prod"'),
        remedy: mentions("Correct"),
      },
    ]);
  });

  it("shortens quoted values, so that no message grows with the file", () => {
    const [problem] = validate("channel", { ...EXAMPLES.channel, versions: "x".repeat(10_000) });

    expect(problem?.message).toMatch(/"x{59}…/);
  });

  it("reports every problem, and one for each place", () => {
    const problems = validate("channel", { kind: "realese", versions: 7, landscapes: [{}], extra: 1 });

    expect(problems.map(({ path }) => path.join("."))).toEqual(["", "extra", "kind", "versions", "landscapes.0"]);
  });

  it("reports two missing properties of one parent", () => {
    expect(validate("channel", {})).toEqual([
      { path: [], message: mentions("property format"), remedy: mentions("Add format") },
      { path: [], message: mentions("property landscapes"), remedy: mentions("Add landscapes") },
    ]);
  });

  it("names keys with / and ~ as in the file, and keys of digits as text", () => {
    const metadata = { name: "a", labels: { "a/b/~c": "x", "7": "x y" } };

    const problems = validate("moduleTemplate", { ...EXAMPLES.template, metadata });

    expect(problems.map(({ path }) => path.slice(2))).toEqual([["a/b/~c"], ["7"]]);
  });

  it("reads a null of a known property as absent where the API server does, and only there", () => {
    const { template, meta } = EXAMPLES;

    expect(validate("moduleTemplate", { ...template, spec: { ...template.spec, channel: null } })).toEqual([]);
    expect(validate("moduleTemplate", { ...template, spec: { ...template.spec, extra: null } })).toHaveLength(1);
    expect(validate("moduleTemplate", { ...template, spec: { ...template.spec, resources: [null] } })).toEqual([
      { path: ["spec", "resources", 0], message: mentions("a map", "empty"), remedy: mentions("Fill", "remove") },
    ]);
    expect(validate("moduleReleaseMeta", { ...meta, spec: { ...meta.spec, moduleName: null } })).toEqual([
      { path: ["spec"], message: mentions("property moduleName"), remedy: mentions("Add moduleName") },
    ]);
    expect(validate("channel", { ...EXAMPLES.channel, follows: null })).toHaveLength(1);
  });

  it.each([undefined, null, 1, "text"])("explains a file with the value %j", (value) => {
    expect(validate("moduleTemplate", value)).toHaveLength(1);
  });

  it("gives the same answer each time", () => {
    const bad = { ...EXAMPLES.channel, format: 2 };

    expect(validate("channel", bad)).toEqual(validate("channel", bad));
    expect(validate("channel", EXAMPLES.channel)).toEqual([]);
  });
});

it("has schemas that are valid against the schema of JSON Schema", () => {
  const judge = new Ajv({ strict: false });
  for (const schema of Object.values(SCHEMAS)) {
    expect([schema.$id, judge.validateSchema(schema), judge.errors]).toEqual([schema.$id, true, null]);
  }
});

it("names each schema after its file", () => {
  expect(Object.values(SCHEMAS).map(({ $id }) => $id?.replace(/^.*\//, ""))).toEqual([
    "settings.schema.json",
    "channel.schema.json",
    "module.schema.json",
    "holds.schema.json",
    "hotfixes.schema.json",
    "evidence.schema.json",
    "moduletemplate.schema.json",
    "modulereleasemeta.schema.json",
  ]);
});
