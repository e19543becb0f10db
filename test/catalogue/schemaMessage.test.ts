import { describe, expect, it } from "vitest";
import { validate, type SchemaKind } from "../../src/catalogue/schema.ts";
import { mentions } from "../support/mentions.ts";
import { EXAMPLES } from "./schemaExamples.ts";

const CORRECT = mentions("Correct");
const CHOOSE = mentions("one of");
const FILL = mentions("Fill", "remove");
const QUOTE = mentions("quotes");
const DROP = mentions("Remove one");
const CHANGE = mentions("Change", "rule");
const REMOVE = mentions("Remove it");

describe("validate", () => {
  it.each<[string, SchemaKind, object, string, unknown, unknown]>([
    [
      "an unknown property",
      "channel",
      { ...EXAMPLES.channel, landscape: [] },
      "landscape",
      mentions("one of", "format, kind, follows, versions, landscapes, promotion", '"landscape"'),
      mentions("Write landscapes"),
    ],
    [
      "an unknown property like no other",
      "settings",
      { ...EXAMPLES.settings, team: 1 },
      "team",
      mentions("one of", "format, releaseManagers, landscapes, registry, images, forge, kubernetes", '"team"'),
      CHOOSE,
    ],
    [
      "a missing property",
      "channel",
      { format: 1 },
      "",
      mentions("property landscapes", "none"),
      mentions("Add landscapes"),
    ],
    [
      "a wrong word",
      "channel",
      { ...EXAMPLES.channel, kind: "realese" },
      "kind",
      mentions("one of release, mandatory", '"realese"'),
      CHOOSE,
    ],
    [
      "two letters swapped",
      "channel",
      { ...EXAMPLES.channel, kind: "relaese" },
      "kind",
      mentions("one of release, mandatory", '"relaese"'),
      mentions("Write release"),
    ],
    [
      "something that is not a word",
      "channel",
      { ...EXAMPLES.channel, kind: ["release"] },
      "kind",
      mentions("one of release, mandatory", "a list"),
      CHOOSE,
    ],
    ["a wrong constant", "channel", { ...EXAMPLES.channel, format: 2 }, "format", mentions("1", "2"), CORRECT],
    [
      "a text where a map belongs",
      "settings",
      { ...EXAMPLES.settings, registry: "localhost" },
      "registry",
      mentions("a map", '"localhost"'),
      CORRECT,
    ],
    [
      "a map where a list belongs",
      "settings",
      { ...EXAMPLES.settings, landscapes: {} },
      "landscapes",
      mentions("a list", "a map"),
      CORRECT,
    ],
    [
      "nothing at all",
      "settings",
      { ...EXAMPLES.settings, landscapes: null },
      "landscapes",
      mentions("a list", "empty"),
      FILL,
    ],
    [
      "a number where a text belongs",
      "settings",
      { ...EXAMPLES.settings, kubernetes: { versions: [1.3] } },
      "kubernetes.versions.0",
      mentions("minor version", '"1.36"', "1.3"),
      QUOTE,
    ],
    [
      "a number that is not valid in quotes, either",
      "settings",
      { ...EXAMPLES.settings, kubernetes: { versions: [13] } },
      "kubernetes.versions.0",
      mentions("minor version", '"1.36"', "13"),
      CORRECT,
    ],
    [
      "a boolean where a text belongs",
      "channel",
      { ...EXAMPLES.channel, follows: true },
      "follows",
      mentions("channel name", "3 to 32", '"none"', "true"),
      QUOTE,
    ],
    [
      "a list without items",
      "channel",
      { ...EXAMPLES.channel, landscapes: [] },
      "landscapes",
      mentions("at least 1 item", "0 items"),
      CORRECT,
    ],
    [
      "an item twice",
      "channel",
      { ...EXAMPLES.channel, landscapes: ["dev", "prod", "dev"] },
      "landscapes.2",
      mentions("item 1", "equal"),
      DROP,
    ],
    [
      "a date that does not exist",
      "channel",
      {
        ...EXAMPLES.channel,
        promotion: { freezes: [{ from: "2026-02-30T00:00:00Z", until: "2026-03-01T00:00:00Z", reason: "x" }] },
      },
      "promotion.freezes.0.from",
      mentions("instant", "2026-12-18T08:30:00Z", '"2026-02-30T00:00:00Z"'),
      CORRECT,
    ],
    [
      "a number that is too small",
      "channel",
      { ...EXAMPLES.channel, promotion: { exposure: { clusters: 0 } } },
      "promotion.exposure.clusters",
      mentions("at least 1", "0"),
      CORRECT,
    ],
    [
      "a number that is not large enough",
      "channel",
      { ...EXAMPLES.channel, promotion: { exposure: { healthyHours: 0 } } },
      "promotion.exposure.healthyHours",
      mentions("more than 0", "0"),
      CORRECT,
    ],
    [
      "a map without properties",
      "channel",
      { ...EXAMPLES.channel, promotion: { exposure: {} } },
      "promotion.exposure",
      mentions("not be empty", "none"),
      CHANGE,
    ],
    [
      "two addresses of one control plane",
      "settings",
      { ...EXAMPLES.settings, landscapes: [{ name: "dev", controlPlane: { context: "x", embedded: true } }] },
      "landscapes.0.controlPlane",
      mentions("exactly one", "context, kubeconfig, inCluster and embedded", "context, embedded"),
      CHANGE,
    ],
    [
      "what a mandatory channel may not have",
      "channel",
      { ...EXAMPLES.channel, kind: "mandatory" },
      "follows",
      mentions("not be set", "mandatory channel"),
      REMOVE,
    ],
    [
      "a key that is not a channel",
      "module",
      { format: 1, policy: { Fast: {} } },
      "policy.Fast",
      mentions("channel name", "3 to 32", '"none"', '"Fast"'),
      CORRECT,
    ],
    [
      "a text that is too long",
      "moduleTemplate",
      { ...EXAMPLES.template, spec: { ...EXAMPLES.template.spec, version: `1.2.3-${"a".repeat(40)}` } },
      "spec.version",
      mentions("at most 32", "46 characters"),
      CORRECT,
    ],
    [
      "a text that is too short",
      "moduleReleaseMeta",
      { ...EXAMPLES.meta, spec: { moduleName: "abc", channels: [{ channel: "ab", version: "" }] } },
      "spec.channels.0.channel",
      mentions("at least 3", "2 characters"),
      CORRECT,
    ],
    [
      "a key twice",
      "moduleReleaseMeta",
      {
        ...EXAMPLES.meta,
        spec: {
          moduleName: "abc",
          channels: [
            { channel: "fast", version: "" },
            { channel: "fast", version: "1.0.0" },
          ],
        },
      },
      "spec.channels.1",
      mentions("item 1", 'same key "fast"'),
      DROP,
    ],
    [
      "neither channels nor mandatory",
      "moduleReleaseMeta",
      { ...EXAMPLES.meta, spec: { moduleName: "abc" } },
      "spec",
      mentions("exactly one", "channels and mandatory", "none"),
      mentions("Add channels"),
    ],
    [
      "a number that is none",
      "channel",
      { ...EXAMPLES.channel, format: Number.NaN },
      "format",
      mentions("1", "NaN"),
      CORRECT,
    ],
    ["a file that is not a map", "settings", [], "", mentions("a map", "a list"), CORRECT],
  ])("explains %s", (_, kind, value, ...expected) => {
    const problems = validate(kind, value).map(({ path, message, remedy }) => [path.join("."), message, remedy]);

    expect(problems).toEqual([expected]);
  });
});
