import { describe, expect, test } from "vitest";
import { readManifest } from "../../../../src/kubernetes/manifest.ts";
import type { Context } from "../../../../src/check/context.ts";
import {
  BUMP,
  bumpManifest,
  bumpTemplate,
  edit,
  FAST,
  manifestPath,
  manifestText,
  SETTINGS,
  SAMPLE,
  templateText,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import type { Facts } from "../../../../src/check/facts.ts";
import { manifestApiDeprecated } from "../../../../src/check/rules/manifest/apiDeprecated.ts";
import { manifestApiRemoved } from "../../../../src/check/rules/manifest/apiRemoved.ts";
import { manifestManager } from "../../../../src/check/rules/manifest/manager.ts";
import { manifestObject } from "../../../../src/check/rules/manifest/object.ts";
import { manifestSyntax } from "../../../../src/check/rules/manifest/syntax.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const PATH = manifestPath("1.2.0");
const BUMPED = templateText("fast", "1.2.0");
const LINK = "https://example.com/sample.yaml";

async function contextWith(example: Example, facts: Partial<Facts>): Promise<Context> {
  const context = await contextOf(example);
  return { ...context, facts: { ...context.facts, ...facts } };
}

/** The context of a bump whose manifest was read from an address. */
async function remote(text: string, change: ExampleFiles = BUMP): Promise<Context> {
  const value = readManifest(LINK, false, Buffer.from(text));
  return contextWith({ change }, { manifests: new Map([["sample 1.2.0", { kind: "known", value }]]) });
}

describe("a manifest that the repository does not hold", () => {
  test("is judged at the line of the template that links it", async () => {
    const context = await remote(edit(manifestText("1.2.0"), "name: sample-manager", "name: A_B"));
    const line = BUMP[FAST]?.split("\n").findIndex((text) => text.includes("link:")) ?? 0;
    expect(said(manifestObject, context)).toEqual([
      mentions(`${FAST}:${line + 1} error ${LINK}`, "ServiceAccount kyma-system/A_B", "name A_B"),
    ]);
  });

  test("is judged at the descriptor where no link names it", async () => {
    const text = edit(BUMPED, "name: rawManifest", "name: other");
    const line = text.split("\n").findIndex((text) => text.includes("descriptor:"));
    expect(said(manifestSyntax, await remote("a: b: c", { ...BUMP, [FAST]: text }))).toEqual([
      mentions(`${FAST}:${line + 1} error ${LINK}`, "line 1", "not YAML"),
    ]);
    const without = BUMPED.replace(/ {2}resources:\n.*\n.*\n/, "");
    expect(said(manifestSyntax, await remote("a: b: c", { ...BUMP, [FAST]: without }))).toHaveLength(1);
  });

  test("is not judged when it was not read", async () => {
    const context = await contextOf({ change: { [FAST]: templateText("fast", "1.2.0") } });
    expect(said(manifestSyntax, context)).toEqual([mentions("not run", "manifest", "examples ask no server")]);
    const nothing = { [manifestPath("1.0.0")]: undefined, [manifestPath("1.1.0")]: undefined };
    expect(said(manifestSyntax, await wholeContext(nothing))).toEqual([
      mentions("not run", "manifest", "tests ask no server"),
    ]);
  });
});

describe("what an API server says", () => {
  const verdicts = (...answers: readonly unknown[]): Partial<Facts> =>
    ({ server: new Map([["sample 1.2.0", { kind: "known", value: answers }]]) }) as Partial<Facts>;

  test("is reported at the field that it refuses", async () => {
    const cause = { field: "spec.ports[0].port", reason: "FieldValueInvalid", message: "must be smaller" };
    const whole = { field: "", reason: "Forbidden", message: "not now" };
    const context = await contextWith(
      { change: BUMP },
      verdicts(
        { index: 1, verdict: { kind: "refused", causes: [cause, whole] } },
        { index: 2, verdict: { kind: "accepted" } },
      ),
    );
    expect(said(manifestObject, context).map((text) => text.replace(/^\S+ /, ""))).toEqual([
      mentions("error", "API server", "ServiceAccount kyma-system/sample-manager", "spec.ports[0].port", cause.message),
      mentions("error", "API server", "ServiceAccount kyma-system/sample-manager", whole.message),
    ]);
  });

  test("counts as not judged where there is none", async () => {
    const context = await contextWith(
      { change: BUMP },
      verdicts(
        { index: 1, verdict: { kind: "not-evaluated", why: "it timed out" } },
        { index: -1, verdict: { kind: "accepted" } },
      ),
    );
    expect(said(manifestObject, context)).toEqual([
      mentions("not run", "API server", "ServiceAccount kyma-system/sample-manager", "it timed out"),
    ]);
    const silent = await contextWith(
      { change: BUMP },
      { server: new Map([["sample 1.2.0", { kind: "unknown", why: "it is down" }]]) },
    );
    expect(said(manifestObject, silent)).toEqual(["not run: it is down"]);
  });
});

describe("versions of Kubernetes", () => {
  const POLICY = "PodSecurityPolicy kyma-system/sample-manager";
  const settings = (text: string): ExampleFiles => ({
    [SETTINGS]: edit(String(SAMPLE[SETTINGS]), 'kubernetes: { versions: ["1.34", "1.36"] }\n', text),
  });

  test("that are not named are not judged", async () => {
    const context = await contextOf({ base: settings(""), change: BUMP });
    const expected = [mentions("not run", "kubernetes in kyma-modules.yaml")];
    expect([said(manifestApiRemoved, context), said(manifestApiDeprecated, context)]).toEqual([expected, expected]);
  });

  test("that the table does not know are not judged", async () => {
    const context = await contextOf({ base: settings('kubernetes: { versions: ["1.99", "1.34"] }\n'), change: BUMP });
    expect(said(manifestApiRemoved, context)).toEqual([mentions("not run", "removed", "Kubernetes 1.99", "1.36")]);
    expect(said(manifestApiDeprecated, context)).toEqual([
      mentions("not run", "deprecated", "Kubernetes 1.99", "1.36"),
    ]);
  });

  test("are distinguished: one may not serve what another serves", async () => {
    const change = bumpManifest(
      "apiVersion: v1\nkind: ServiceAccount",
      "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy",
    );
    const old = await contextOf({ base: settings('kubernetes: { versions: ["1.24", "1.26"] }\n'), change });
    expect(said(manifestApiRemoved, old)).toEqual([
      mentions(`${PATH}:23 error ${POLICY}`, "Kubernetes 1.26", "policy/v1beta1", "1.25"),
    ]);
    expect(said(manifestApiDeprecated, old)).toEqual([]);
    const older = await contextOf({ base: settings('kubernetes: { versions: ["1.24"] }\n'), change });
    expect(said(manifestApiRemoved, older)).toEqual([]);
    expect(said(manifestApiDeprecated, older)).toEqual([
      mentions(`${PATH}:24 note ${POLICY}`, "policy/v1beta1", "Kubernetes 1.21", "1.25"),
    ]);
    expect(
      said(manifestApiDeprecated, await contextOf({ base: settings('kubernetes: { versions: ["1.20"] }\n'), change })),
    ).toEqual([]);
  });

  test("count as the settings say where there is no base", async () => {
    expect(said(manifestApiRemoved, await wholeContext({}))).toEqual([]);
  });
});

describe("the manager", () => {
  test("may be the default CR, and may be missing from the template", async () => {
    const manager =
      "    group: apps\n    version: v1\n    kind: Deployment\n    name: sample-manager\n    namespace: kyma-system\n";
    const cr = "    group: operator.example.com\n    version: v1\n    kind: Sample\n    name: default\n";
    expect(said(manifestManager, await contextOf({ change: bumpTemplate(manager, cr) }))).toEqual([]);
    expect(said(manifestManager, await contextOf({ change: bumpTemplate(`  manager:\n${manager}`, "") }))).toEqual([]);
    const missing = cr.replace("name: default", "name: other");
    expect(said(manifestManager, await contextOf({ change: bumpTemplate(manager, missing) }))).toEqual([
      mentions("error", "manifest", "no operator.example.com/v1 Sample other"),
    ]);
  });

  test("needs no namespace, but not another one", async () => {
    const space = "sample-manager\n    namespace: kyma-system\n";
    expect(said(manifestManager, await contextOf({ change: bumpTemplate(space, "sample-manager\n") }))).toEqual([]);
    const elsewhere = await contextOf({ change: bumpTemplate(space, "sample-manager\n    namespace: other\n") });
    expect(said(manifestManager, elsewhere)).toEqual([
      expect.stringContaining("no apps/v1 Deployment other/sample-manager."),
    ]);
  });
});
