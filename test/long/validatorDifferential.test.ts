import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openValidator } from "../../src/systems/validator.ts";
import { sharedApiServer } from "../kubernetes/apiServer.ts";
import { CRDS, generatedDefinitions, realDefinitions } from "../systems/validator/definitions.ts";
import { compare, compareDefinitions } from "../systems/validator/differential.ts";

const COUNT = 5000;
const DEFINITIONS = 500;

/** `DIFFERENTIAL_SEED=$RANDOM npm run test:long -- test/long/validatorDifferential.test.ts` explores. */
const SEED = Number(process.env["DIFFERENTIAL_SEED"] ?? "20261121");

describe("validator", () => {
  it("agrees with a real API server on every real definition", async (context) => {
    const server = sharedApiServer();
    if ("skipped" in server) return context.skip(server.skipped);
    if (!existsSync(CRDS)) return context.skip("there is no ../shared/kyma-data beside this repository");
    const validator = openValidator();
    const definitions = [...generatedDefinitions(), ...realDefinitions()];
    const found = await compare(definitions, server, validator, { count: COUNT, seed: SEED });
    await validator.close();
    const { contradictions, differences, ...counts } = found;
    process.stderr.write(`seed ${SEED}: ${JSON.stringify(counts)}\n${differences.slice(0, 10).join("\n")}\n`);

    expect(contradictions).toEqual([]);
    expect(found.objects).toBeGreaterThanOrEqual(COUNT);
    expect(found.notEvaluated).toBeLessThanOrEqual(found.objects / 100);
    expect(found.sameFields).toBeGreaterThanOrEqual(0.95 * found.refused);
  });

  it("agrees with it on definitions, too", async (context) => {
    const server = sharedApiServer();
    if ("skipped" in server) return context.skip(server.skipped);
    if (!existsSync(CRDS)) return context.skip("there is no ../shared/kyma-data beside this repository");
    const validator = openValidator();
    const definitions = [...generatedDefinitions(), ...realDefinitions()];
    const found = await compareDefinitions(definitions, server, validator, { count: DEFINITIONS, seed: SEED });
    await validator.close();
    const { contradictions, differences, ...counts } = found;
    process.stderr.write(
      `definitions, seed ${SEED}: ${JSON.stringify(counts)}\n${differences.slice(0, 10).join("\n")}\n`,
    );

    expect(contradictions).toEqual([]);
    expect(found.notEvaluated).toBeLessThanOrEqual(found.objects / 100);
  });
});
