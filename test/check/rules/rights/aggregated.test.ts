import { expect, test } from "vitest";
import { BUMP, bumpManifest, manifestPath, manifestText } from "../../../../src/check/example.ts";
import { rightsAggregated } from "../../../../src/check/rules/rights/aggregated.ts";
import { contextOf, said } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const NAME = "  name: sample-manager\nrules:\n";
const LABELLED = `  name: sample-viewer\n  labels: { rbac.authorization.k8s.io/aggregate-to-view: "true" }\nrules:\n`;
const ALL = `${LABELLED}  - { apiGroups: ["*"], resources: ["*"], verbs: ["*"] }\n`;

test("a role that grants all rights to everyone who may view is refused", async () => {
  expect(said(rightsAggregated, await contextOf({ change: bumpManifest(NAME, ALL) }))).toEqual([
    mentions("error", "everything", "ClusterRole view"),
  ]);
  const second = ALL.replace('verbs: ["*"]', 'verbs: [get, "*"]').replace('resources: ["*"]', "resources: [pods]");
  expect(said(rightsAggregated, await contextOf({ change: bumpManifest(NAME, second) }))).toHaveLength(1);
  expect(said(rightsAggregated, await contextOf({ change: bumpManifest(NAME, LABELLED) }))).toEqual([]);
});

test("rights that a version in service has already are not gained", async () => {
  const base = { [manifestPath("1.1.0")]: manifestText("1.1.0").replace(NAME, ALL) };
  expect(said(rightsAggregated, await contextOf({ base, change: bumpManifest(NAME, ALL) }))).toEqual([]);
  expect(said(rightsAggregated, await contextOf({ base, change: BUMP }))).toEqual([]);
});
