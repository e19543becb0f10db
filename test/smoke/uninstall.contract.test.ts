import { describe, expect, it } from "vitest";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import type { SampleVersion } from "./sampleModule.ts";
import { failureOf, openSmokeServer, tryModule } from "./world.ts";

const smokeServer = openSmokeServer();

const GOOD: SampleVersion = {};

describe("an uninstall", () => {
  long("fails on a finalizer that nothing removes", async (context) => {
    const { supply } = await smokeServer(context);
    const stuck: SampleVersion = {
      defaultCr: (good) => ({
        ...good,
        metadata: { name: "default", namespace: "kyma-system", finalizers: ["example.com/wait"] },
      }),
    };
    const [result] = await tryModule({ module: "stuck", supply, versions: { "1.0.0": stuck } });

    expect(failureOf(result)).toEqual([
      "uninstall",
      "Stuck kyma-system/default",
      expect.stringContaining("finalizers example.com/wait"),
    ]);
  });

  it("fails on an object that is left, and on a foreign object that the module changed", async (context) => {
    const { supply, outside } = await smokeServer(context);
    const made: Promise<unknown>[] = [];
    const path = "/api/v1/namespaces/default/configmaps";
    await outside.must("POST", path, { metadata: { name: "of-others" }, data: { a: "b" } });
    const meanwhile =
      (step: string, act: () => Promise<unknown>) =>
      (result: { readonly step: string }): void => {
        if (result.step === step) made.push(act());
      };
    const versions = { "1.0.0": GOOD };
    const leave = meanwhile("use", () => outside.must("POST", path, { metadata: { name: "left" } }));
    const [left] = await tryModule({ module: "leaving", supply, versions, onStep: leave });
    const harm = meanwhile("use", () =>
      outside.must("PATCH", `${path}/of-others`, { data: { a: "c" } }, "merge-patch"),
    );
    const [harmed] = await tryModule({ module: "harming", supply, versions, onStep: harm });
    await Promise.all(made);

    expect(failureOf(left)).toEqual(["uninstall", "ConfigMap default/left", mentions("left", "removed")]);
    expect(failureOf(harmed)).toEqual(["uninstall", "ConfigMap default/of-others", mentions("changed")]);
  });
});
