import { describe, expect, it, type TestContext } from "vitest";
import type { Ended } from "../../cli/program.ts";
import { failureOf, itemsOf, openSmokeSite, traces, type SmokeSite, type Versions } from "../../long/smoke/site.ts";
import { DEFECTS, type Defect, managed } from "../../smoke/managedModule.ts";
import { managerForTests } from "../../support/lifecycleManager.ts";

const openSite = openSmokeSite();
const THROUGH = ["--through", "lifecycle-manager", "--format", "json"];
const GOOD: Versions = [managed("good", "1.0.0"), managed("good", "1.1.0")];

/** A cluster with pods, for a lifecycle-manager that reads version templates. */
function open(context: TestContext): SmokeSite {
  if (managerForTests(context).generation === "channel-templates") context.skip("smoke wants 1.8 or newer");
  return openSite(context);
}

function outcomes(ended: Ended): readonly (readonly (string | undefined)[])[] {
  return itemsOf(ended).map(failureOf);
}

const NONE = [undefined, undefined, undefined];

/** The steps at which the install and the upgrade fail, with the messages. */
const CAUGHT: Readonly<Partial<Record<Defect, readonly unknown[]>>> = {
  crashing: [
    ["install", said(/^Deployment /), said(/last log lines: .*the field size is missing/)],
    ["upgrade", said(/^Deployment /), said(/last log lines: .*the field size is missing/)],
  ],
  fixed: [NONE, ["upgrade", said(/^Manifest /), said(/lifecycle-manager says Error: .*field is immutable/)]],
  losing: [NONE, ["served", said(/^Losing /), said(/spec\.mode was "loud", and is gone/)]],
};

function said(words: RegExp): unknown {
  return expect.stringMatching(words);
}

describe("smoke through lifecycle-manager", () => {
  it("passes a good module, installed and upgraded, in every step, and leaves nothing", async (context) => {
    const { smoke, outside } = open(context);
    const ended = await smoke("good", GOOD, ...THROUGH).ended;

    expect(itemsOf(ended).map(({ from, result, pods, through }) => [from, result, pods, through])).toEqual([
      [null, "passed", true, "lifecycle-manager"],
      ["1.0.0", "passed", true, "lifecycle-manager"],
    ]);
    const steps = itemsOf(ended).flatMap((item) => item.steps);
    expect(steps.filter(({ result }) => result !== "passed")).toEqual([]);
    expect(await left(outside)).toEqual([]);
  });

  it.for(Object.entries(CAUGHT))("catches a version that is %s", async ([module, expected], context) => {
    const { smoke, outside } = open(context);
    const versions = [managed(module, "1.0.0"), managed(module, "1.1.0", DEFECTS[module as Defect])] as const;

    expect(outcomes(await smoke(module, versions, ...THROUGH).ended)).toEqual(expected);
    expect(await left(outside)).toEqual([]);
  });

  it("removes the objects that a killed run left, including those of lifecycle-manager", async (context) => {
    const { smoke, outside } = open(context);
    const killed = smoke("good", GOOD, ...THROUGH);
    await killed.says(/install passed/);
    killed.signal("SIGKILL");
    await killed.ended;
    expect(await left(outside)).toContain("kymas.operator.kyma-project.io");

    const again = await smoke("good", GOOD).ended;
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(await left(outside)).toEqual([]);
  });

  // Must be the last test, because its module stays.
  it("catches a finalizer that is never removed, and names the objects that the module leaves", async (context) => {
    const { smoke } = open(context);
    const versions = [managed("stuck", "1.0.0"), managed("stuck", "1.1.0", DEFECTS.stuck)] as const;
    const ended = await smoke("stuck", versions, ...THROUGH).ended;
    const words = said(/\bfinalizers smoke\.example\.com\/stuck/);

    expect(outcomes(ended)).toEqual([
      ["uninstall", said(/^Stuck /), words],
      ["served", said(/^Stuck /), words],
    ]);
    expect(ended.stderr).toMatch(/\bleft\b.*\bConfigMap kyma-system\/stucks-default/i);
  });
});

/** The objects of modules and of lifecycle-manager on the cluster. */
async function left(outside: SmokeSite["outside"]): Promise<readonly string[]> {
  const names = await Promise.all(["good", "kyma", ...Object.keys(CAUGHT)].map((name) => traces(outside, name)));
  return [...new Set(names.flat())];
}
