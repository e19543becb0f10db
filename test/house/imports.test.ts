import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspect, ruleNames } from "./imports.ts";

const fixtures = join(import.meta.dirname, "fixtures/imports");

/** What each tree does wrong; the tree is named after the rule that must see it. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  "no-cycles": ["src/catalogue/channel.ts → src/catalogue/policy.ts"],
  "no-orphans": ["src/sync/forgotten.ts → src/sync/forgotten.ts"],
  "no-missing-files": ["src/sync/sync.ts → ./gone.ts"],
  "pure-rooms-import-only-one-another": [
    "src/catalogue/parse.ts → src/ports.ts",
    "src/kubernetes/unchanged.ts → src/sync/apply.ts",
  ],
  "ground-rooms-import-in-order": [
    "src/document/finding.ts → src/kubernetes/object.ts",
    "src/kubernetes/object.ts → src/catalogue/version.ts",
  ],
  "ports-name-only-pure-types": ["src/ports.ts → src/sync/plan.ts"],
  "ports-run-nothing": ["src/ports.ts → src/catalogue/version.ts"],
  "reading-imports-only-the-ground": ["src/reading/manifest.ts → src/sync/plan.ts"],
  "rooms-do-not-import-one-another": ["src/check/check.ts → src/smoke/report.ts"],
  "promote-and-sync-import-only-fleet": ["src/sync/waves.ts → src/promote/verdict.ts"],
  "dashboard-imports-promote-sync-fleet": ["src/dashboard/page.ts → src/check/findings.ts"],
  "only-the-demo-imports-rehearsal": [
    "src/cli/rollout/command.ts → src/rehearsal/rehearse.ts",
    "src/cli/status/command.ts → src/cli/demo/fleet.ts",
  ],
  "systems-import-no-room": ["src/systems/kubernetes.ts → src/sync/plan.ts"],
  "only-systems-touch-the-outside": [
    "src/catalogue/history.ts → child_process",
    "src/fleet/observe.ts → @kubernetes/client-node",
    "src/promote/soak.ts → os",
    "src/sync/apply.ts → fs",
  ],
  "commands-touch-only-the-terminal": ["src/cli/sync.ts → child_process"],
  "only-compose-imports-systems": [
    "src/cli/sync.ts → src/systems/clock.ts",
    "src/promote/promote.ts → src/systems/clock.ts",
  ],
  "only-the-cli-imports-itself": ["src/sync/sync.ts → src/cli/output.ts"],
  "src-needs-no-tests": ["src/sync/sync.ts → test/support.ts"],
  "only-declared-packages": ["src/systems/git.ts → vitest", "src/systems/registry.ts → chai"],
};

/** A package by its name instead of the file in it that is imported. */
const named = (path: string): string => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;

describe("the import rules", () => {
  it("each have a tree that breaks them", () => {
    expect(Object.keys(wrong)).toEqual(ruleNames);
    expect(readdirSync(fixtures).sort()).toEqual([...ruleNames, "nothing-at-all", "nothing-wrong"].sort());
  });

  it.each(Object.entries(wrong))("see what %s forbids, and nothing else", async (rule, imports) => {
    const { breaches } = await inspect(join(fixtures, rule));
    expect(new Set(breaches.map((breach) => breach.rule))).toEqual(new Set([rule]));
    expect(breaches.map(({ from, to }) => `${from} → ${named(to)}`).sort()).toEqual(imports);
  });

  it("let every allowed arrow pass", async () => {
    const { breaches, modules } = await inspect(join(fixtures, "nothing-wrong"));
    expect(breaches).toEqual([]);
    expect(modules).toBe(11);
  });

  it("fail a run that inspects no module", () => {
    const script = join(import.meta.dirname, "imports.ts");
    const { status, stdout } = spawnSync(process.execPath, [script, join(fixtures, "nothing-at-all")], {
      encoding: "utf8",
    });
    expect(stdout).toContain("0 modules inspected");
    expect(status).toBe(1);
  });
});
