import { describe, expect, it } from "vitest";
import { validate, type SchemaKind } from "../../src/catalogue/schema.ts";
import { EXAMPLES, said } from "./schemaExamples.ts";

describe("validate", () => {
  it.each<[string, SchemaKind, object, string]>([
    [
      "an unknown property",
      "channel",
      { ...EXAMPLES.channel, landscape: [] },
      'landscape: must be one of the properties format, kind, follows, versions, landscapes, promotion, but is "landscape". Write landscapes.',
    ],
    [
      "an unknown property like no other",
      "settings",
      { ...EXAMPLES.settings, team: 1 },
      'team: must be one of the properties format, releaseManagers, landscapes, registry, images, forge, kubernetes, but is "team". Use one of these.',
    ],
    [
      "a missing property",
      "channel",
      { format: 1 },
      ": must have the property landscapes, but has none. Add landscapes.",
    ],
    [
      "a wrong word",
      "channel",
      { ...EXAMPLES.channel, kind: "realese" },
      'kind: must be one of release, mandatory, but is "realese". Use one of these.',
    ],
    [
      "two letters swapped",
      "channel",
      { ...EXAMPLES.channel, kind: "relaese" },
      'kind: must be one of release, mandatory, but is "relaese". Write release.',
    ],
    [
      "something that is not a word",
      "channel",
      { ...EXAMPLES.channel, kind: ["release"] },
      "kind: must be one of release, mandatory, but is a list. Use one of these.",
    ],
    [
      "a wrong constant",
      "channel",
      { ...EXAMPLES.channel, format: 2 },
      "format: must be 1, but is 2. Correct the value.",
    ],
    [
      "a text where a map belongs",
      "settings",
      { ...EXAMPLES.settings, registry: "localhost" },
      'registry: must be a map of properties, but is "localhost". Correct the value.',
    ],
    [
      "a map where a list belongs",
      "settings",
      { ...EXAMPLES.settings, landscapes: {} },
      "landscapes: must be a list, but is a map of properties. Correct the value.",
    ],
    [
      "nothing at all",
      "settings",
      { ...EXAMPLES.settings, landscapes: null },
      "landscapes: must be a list, but is empty. Fill it in, or remove it.",
    ],
    [
      "a number where a text belongs",
      "settings",
      { ...EXAMPLES.settings, kubernetes: { versions: [1.3] } },
      'kubernetes.versions.0: must be a minor version of Kubernetes in quotes, such as "1.36", but is 1.3. Put the value in quotes.',
    ],
    [
      "a number that is not valid in quotes, either",
      "settings",
      { ...EXAMPLES.settings, kubernetes: { versions: [13] } },
      'kubernetes.versions.0: must be a minor version of Kubernetes in quotes, such as "1.36", but is 13. Correct the value.',
    ],
    [
      "a boolean where a text belongs",
      "channel",
      { ...EXAMPLES.channel, follows: true },
      'follows: must be a channel name of 3 to 32 lower-case letters, and not "none", but is true. Put the value in quotes.',
    ],
    [
      "a list without items",
      "channel",
      { ...EXAMPLES.channel, landscapes: [] },
      "landscapes: must have at least 1 item, but has 0 items. Correct the value.",
    ],
    [
      "an item twice",
      "channel",
      { ...EXAMPLES.channel, landscapes: ["dev", "prod", "dev"] },
      "landscapes.2: must differ from item 1, but is equal to it. Remove one of the two.",
    ],
    [
      "a date that does not exist",
      "channel",
      {
        ...EXAMPLES.channel,
        promotion: { freezes: [{ from: "2026-02-30T00:00:00Z", until: "2026-03-01T00:00:00Z", reason: "x" }] },
      },
      'promotion.freezes.0.from: must be an instant with seconds and zone, such as 2026-12-18T08:30:00Z, but is "2026-02-30T00:00:00Z". Correct the value.',
    ],
    [
      "a number that is too small",
      "channel",
      { ...EXAMPLES.channel, promotion: { exposure: { clusters: 0 } } },
      "promotion.exposure.clusters: must be at least 1, but is 0. Correct the value.",
    ],
    [
      "a number that is not large enough",
      "channel",
      { ...EXAMPLES.channel, promotion: { exposure: { healthyHours: 0 } } },
      "promotion.exposure.healthyHours: must be more than 0, but is 0. Correct the value.",
    ],
    [
      "a map without properties",
      "channel",
      { ...EXAMPLES.channel, promotion: { exposure: {} } },
      "promotion.exposure: must not be empty, but has none. Change it as the rule demands.",
    ],
    [
      "two addresses of one control plane",
      "settings",
      { ...EXAMPLES.settings, landscapes: [{ name: "dev", controlPlane: { context: "x", embedded: true } }] },
      "landscapes.0.controlPlane: must have exactly one of context, kubeconfig, inCluster and embedded, but has context, embedded. Change it as the rule demands.",
    ],
    [
      "what a mandatory channel may not have",
      "channel",
      { ...EXAMPLES.channel, kind: "mandatory" },
      "follows: must not be set, because a mandatory channel follows none. Remove it.",
    ],
    [
      "a key that is not a channel",
      "module",
      { format: 1, policy: { Fast: {} } },
      'policy.Fast: must be a channel name of 3 to 32 lower-case letters, and not "none", but is "Fast". Correct the value.',
    ],
    [
      "a text that is too long",
      "moduleTemplate",
      { ...EXAMPLES.template, spec: { ...EXAMPLES.template.spec, version: `1.2.3-${"a".repeat(40)}` } },
      "spec.version: must have at most 32 characters, but has 46 characters. Correct the value.",
    ],
    [
      "a text that is too short",
      "moduleReleaseMeta",
      { ...EXAMPLES.meta, spec: { moduleName: "abc", channels: [{ channel: "ab", version: "" }] } },
      "spec.channels.0.channel: must have at least 3 characters, but has 2 characters. Correct the value.",
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
      'spec.channels.1: must differ from item 1, but has the same key "fast". Remove one of the two.',
    ],
    [
      "neither channels nor mandatory",
      "moduleReleaseMeta",
      { ...EXAMPLES.meta, spec: { moduleName: "abc" } },
      "spec: must have exactly one of channels and mandatory, but has none. Add channels.",
    ],
    [
      "a number that is none",
      "channel",
      { ...EXAMPLES.channel, format: Number.NaN },
      "format: must be 1, but is NaN. Correct the value.",
    ],
    ["a file that is not a map", "settings", [], ": must be a map of properties, but is a list. Correct the value."],
  ])("explains %s", (_, kind, value, expected) => {
    expect(said(validate(kind, value))).toEqual([expected]);
  });
});
