import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Generation } from "../../../src/catalogue/settings.ts";
import { VERSIONS, type Action, type HandEdit } from "./actions.ts";
import { Scenario } from "./scenario.ts";
import { tries } from "../../support/tries.ts";

const version = fc.constantFrom(...VERSIONS);
const served = fc.option(version, { nil: undefined, freq: 6 });
const wanted = fc.oneof(
  { weight: 6, arbitrary: fc.record({ fast: served }) },
  { weight: 6, arbitrary: fc.record({ regular: served }) },
  { weight: 3, arbitrary: fc.record({ mandatory: served }) },
  { weight: 1, arbitrary: fc.record({ isFlipped: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ isSelective: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ held: fc.option(version, { nil: undefined }) }) },
  { weight: 1, arbitrary: fc.record({ isSoaking: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ component: fc.constantFrom("example.com/module/istio", "example.com/other/istio") }),
  },
);
const EDITS: readonly HandEdit[] = [
  "delete template",
  "delete release meta",
  "set fast",
  "set regular",
  "set mandatory",
  "remove fast",
  "add foreign entry",
  "selector on release meta",
  "beta on template",
  "mandatory on template",
  "no labels on template",
  "no labels on release meta",
  "delete records",
];
const cluster = fc.nat({ max: 2 });
const syncing = fc
  .record({
    prune: fc.boolean(),
    now: fc.boolean(),
    adopt: fc.boolean(),
    killedAt: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined, freq: 3 }),
    isBlind: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    looks: fc.array(fc.record({ at: fc.integer({ min: 1, max: 25 }), cluster }), { maxLength: 3 }),
  })
  .map((given): Action => ({ kind: "sync", ...given }));
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: wanted.map((given): Action => ({ kind: "repository", wanted: given })) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("hand" as const), what: fc.constantFrom(...EDITS), version }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("istio", "audit"), version)
      .map(([module, one]): Action => ({ kind: "artifact", key: `${module}@${one}` })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("user" as const),
      cluster,
      channel: fc.constantFrom("fast" as const, "regular" as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("lifecycle-manager" as const), cluster }) },
  { weight: 6, arbitrary: syncing },
);

describe("no sync, whatever happened before it,", () => {
  it.each<Generation>(["version-templates", "channel-templates"])(
    "lowers or removes a module on a cluster (%s)",
    async (generation) => {
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 25 }), async (actions) => {
          const scenario = new Scenario(generation);
          await scenario.start();
          for (const one of actions) expect(await scenario.act(one)).toEqual([]);
        }),
        tries(20),
      );
    },
  );
});
