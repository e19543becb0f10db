import { describe, expect, it } from "vitest";
import { DEFECTS, type Defect, managed } from "../smoke/managedModule.ts";
import { failureOf, itemsOf, openSmokeSite } from "./smoke/site.ts";

const open = openSmokeSite();

type Failure = readonly [step: string, kind: string, words: RegExp];

/** The steps at which the install and the upgrade fail; `undefined`: they pass. */
const CAUGHT: Readonly<Record<Defect, readonly [install: Failure | undefined, upgrade: Failure | undefined]>> = {
  slow: both("install", "upgrade", "Deployment", /0 of 1 pods are available|the version before/),
  crashing: both("install", "upgrade", "Deployment", /cannot read the configuration: the field size is missing/),
  unready: both("install", "upgrade", "Deployment", /containers with unready status: \[manager\]/),
  dying: both("use", "again", "Deployment", /ended with Error.*out of workers: the queue is full/),
  failing: both("use", "again", "Failing", /status\.state is Error/),
  fixed: [undefined, ["upgrade", "Deployment", /spec\.selector: .*field is immutable/]],
  narrow: [undefined, ["served", "Narrow", /spec\.mode: Unsupported value: "loud"/]],
  losing: [undefined, ["served", "Losing", /spec\.mode was "loud", and is gone/]],
  stuck: both("uninstall", "served", "Stuck", /finalizers smoke\.example\.com\/stuck/),
  // Objects left by the install exist before the upgrade, so its uninstall is not checked.
  leaving: [["uninstall", "ConfigMap", /\bleft\b.*\bremoved\b/], undefined],
  hot: both("use", "again", "Hot", /\bchanges\b/),
};

function both(install: string, upgrade: string, kind: string, words: RegExp): readonly [Failure, Failure] {
  return [
    [install, kind, words],
    [upgrade, kind, words],
  ];
}

describe("smoke catches a version with a bad manager", () => {
  it.for(Object.entries(CAUGHT))("%s", async ([module, expected], context) => {
    const { smoke } = open(context);
    const versions = [managed(module, "1.0.0"), managed(module, "1.1.0", DEFECTS[module as Defect])] as const;
    const ended = await smoke(module, versions, "--format", "json").ended;
    const items = itemsOf(ended);

    expect(items.map(({ from }) => from)).toEqual([null, "1.0.0"]);
    for (const [index, failure] of expected.entries()) {
      const [step, kind = "", words = /^$/] = failure ?? [];
      const object = expect.stringMatching(new RegExp(`^${kind} `)) as string;
      const said = expect.stringMatching(words) as string;
      expect(failureOf(items[index])).toEqual(
        step === undefined ? [undefined, undefined, undefined] : [step, object, said],
      );
    }
    expect(ended.code).toBe(1);
  });
});
