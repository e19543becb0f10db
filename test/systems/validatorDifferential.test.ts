import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openValidator } from "../../src/systems/validator.ts";
import { sharedApiServer, type ApiServer } from "../kubernetes/apiServer.ts";
import { CRDS, generatedDefinitions, realDefinitions, type Definition } from "./validator/definitions.ts";
import { compare } from "./validator/differential.ts";
import { long } from "../support/long.ts";

const COUNT = 150;
const SEED = 20_261_121;

/** Some of the real ones: all of them take their time to install (test/long). */
const EVERY = 6;

async function expectAgreement(definitions: readonly Definition[], server: ApiServer): Promise<void> {
  const validator = openValidator();
  const found = await compare(definitions, server, validator, { count: COUNT, seed: SEED });
  await validator.close();

  expect(found.contradictions).toEqual([]);
  expect(found.objects).toBeGreaterThanOrEqual(COUNT);
  expect(found.accepted).toBeGreaterThan(COUNT / 10);
  expect(found.refused).toBeGreaterThan(COUNT / 10);
  expect(found.notEvaluated).toBeLessThanOrEqual(found.objects / 100);
  expect(found.sameFields).toBeGreaterThanOrEqual(0.95 * found.refused);
}

describe("validator", () => {
  long(
    "never contradicts a real API server on rules, lists and extensions, and blames the same fields",
    async (context) => {
      const server = sharedApiServer();
      if ("skipped" in server) return context.skip(server.skipped);
      await expectAgreement(generatedDefinitions(), server);
    },
  );

  it("never contradicts a real API server on real definitions, and blames the same fields", async (context) => {
    const server = sharedApiServer();
    if ("skipped" in server) return context.skip(server.skipped);
    if (!existsSync(CRDS)) return context.skip("there is no ../shared/kyma-data beside this repository");
    const definitions = realDefinitions().filter((_, index) => index % EVERY === 0);
    await expectAgreement(definitions, server);
  });
});
