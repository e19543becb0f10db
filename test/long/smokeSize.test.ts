import { expect, it } from "vitest";
import { configMap, type Written } from "../smoke/sampleModule.ts";
import { failureOf, openSmokeServer, tryModule } from "../smoke/world.ts";

const smokeServer = openSmokeServer();

it("installs and removes a module of 2,000 objects", async (context) => {
  const { supply } = await smokeServer(context);
  const many = Array.from({ length: 2_000 }, (_, index) => configMap(`many-${index}`));
  const versions = { "1.0.0": { objects: (good: readonly Written[]) => [...good, ...many] } };
  const [result] = await tryModule({ module: "many", supply, versions });

  expect(failureOf(result)).toEqual([undefined, undefined, undefined]);
  expect(result?.steps[1]?.notes).toEqual(["2004 objects"]);
});
