import { describe, expect, it } from "vitest";
import { managerForTests } from "../../support/lifecycleManager.ts";
import { harmBetween } from "./harm.ts";
import type { Inventory } from "./inventory.ts";
import { openRealScenario, type RealScenario } from "./realScenario.ts";
import { Scenario } from "./scenario.ts";
import { MISSING, SCRIPT } from "./script.ts";

/** The time limit until lifecycle-manager matches the model, and the time for which it must stay so. Milliseconds. */
const PATIENCE_MS = 90_000;
const QUIET_MS = 4_000;
/** Attempts, five a second. */
const LOOK_EVERY = 25;

describe("the model of lifecycle-manager", () => {
  it("behaves like a real one, and no sync harms a cluster of the real one", async (context) => {
    const manager = managerForTests(context);
    const { generation } = manager;
    const model = new Scenario(generation, MISSING);
    const real = await openRealScenario(manager, MISSING, context);
    await model.start();
    await real.start();
    const differences = [await differenceAfter("start", model, real)];
    const harm: string[] = [];
    for (const { name, actions, only } of SCRIPT) {
      if (only !== undefined && only !== generation) continue;
      const before = await real.inventory();
      const said: string[] = [];
      for (const action of actions) {
        expect(await model.act(action), name).toEqual([]);
        said.push(...(await real.act(action)));
      }
      model.settle();
      const difference = await differenceAfter(name, model, real);
      const isSync = actions.every(({ kind }) => kind !== "hand" && kind !== "user");
      differences.push(difference);
      if (isSync) harm.push(...harmAfter(name, before, await real.inventory()));
      console.log(`${difference === undefined ? "same" : "different"}  ${name}: ${said.join("; ")}`, difference ?? "");
    }
    expect({ differences: differences.filter((one) => one !== undefined), harm }).toEqual({
      differences: [],
      harm: [],
    });
  }, 1_800_000);
});

/** Waits until both have the same state for a while; returns the remaining differences. */
async function differenceAfter(step: string, model: Scenario, real: RealScenario): Promise<object | undefined> {
  const expected = textOf(model.inventory());
  const deadlineMs = Date.now() + PATIENCE_MS;
  let sameSinceMs: number | undefined;
  for (let attempt = 0; ; attempt++) {
    if (attempt % LOOK_EVERY === 0) await real.look();
    const found = textOf(await real.inventory());
    if (found !== expected) sameSinceMs = undefined;
    else if (sameSinceMs === undefined) sameSinceMs = Date.now();
    else if (Date.now() - sameSinceMs > QUIET_MS) return undefined;
    if (Date.now() > deadlineMs) return { step, expected, found };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function textOf({ installed, believed, broken }: Inventory): string {
  const versions = [...installed].map(([key, all]) => `${key} ${all.join("+")} (${believed.get(key) ?? "-"})`);
  return [...versions.sort(), ...[...broken].map((key) => `broken ${key}`).sort()].join("\n");
}

function harmAfter(step: string, before: Inventory, after: Inventory): readonly string[] {
  return [...before.installed].flatMap(([where, versions]) => {
    const kind = harmBetween(versions, after.installed.get(where));
    return kind === undefined ? [] : [`${step}: ${where} ${kind}`];
  });
}
