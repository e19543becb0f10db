import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { ValidationRequest } from "../../../src/kubernetes/validation.ts";
import type { Validator } from "../../../src/ports.ts";
import { openValidator } from "../../../src/systems/validator.ts";
import { rememberVerdicts } from "../../../src/systems/validator/verdictCache.ts";
import { quietRun } from "../../support/quietRun.ts";
import { definitionOf } from "./definitions.ts";

const validator = openValidator();
const roots: string[] = [];
let folder = "";
let asked: ValidationRequest[] = [];

const counted: Validator = {
  judge: (requests, run) => {
    asked.push(...requests);
    return validator.judge(requests, run);
  },
  close: () => validator.close(),
};

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "verdicts-"));
  roots.push(root);
  folder = join(root, "verdicts");
  asked = [];
});
afterAll(async () => {
  await validator.close();
  for (const root of roots) rmSync(root, { recursive: true });
});

const definition = definitionOf("Box", { type: "object", properties: { size: { type: "integer" } } });
const request = (size: unknown): ValidationRequest => {
  const metadata = { name: "a" };
  const object = { apiVersion: "generated.differential.test/v1", kind: "Box", metadata, spec: { size } };
  return { definition, creates: [object], updates: [] };
};

describe("verdict cache", () => {
  it("asks only for unknown verdicts, and keeps the order", async () => {
    const first = await rememberVerdicts(counted, { folder }).judge([request(1), request("2")], quietRun());
    const second = await rememberVerdicts(counted, { folder }).judge(
      [request("2"), request(3), request(1)],
      quietRun(),
    );

    expect(asked).toHaveLength(3);
    expect(second).toEqual([first[1], { ...first[0] }, first[0]]);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it("ignores a broken entry and writes it anew", async () => {
    const cached = rememberVerdicts(counted, { folder });
    const [found] = await cached.judge([request(1)], quietRun());
    const [name = ""] = readdirSync(folder);
    const written = readFileSync(join(folder, name), "utf8");
    const broken = ["", "{", "1", "{}", '{"definition":{"kind":"?"},"creates":[],"updates":[]}', "[null]"];
    for (const content of broken) {
      writeFileSync(join(folder, name), content);

      expect(await cached.judge([request(1)], quietRun())).toEqual([found]);
      expect(readFileSync(join(folder, name), "utf8")).toBe(written);
    }

    expect(asked).toHaveLength(1 + broken.length);
  });

  it("does not grow without bounds", async () => {
    const cached = rememberVerdicts(counted, { folder, most: 8 });
    for (let size = 0; size < 20; size++) await cached.judge([request(size)], quietRun());

    expect(readdirSync(folder).length).toBeLessThanOrEqual(8);
  });

  it("does not cache a timeout of the validator", async () => {
    const hasty = openValidator({ limitMs: 1 });
    await rememberVerdicts(hasty, { folder }).judge([request(1)], quietRun());
    await hasty.close();
    const [found] = await rememberVerdicts(counted, { folder }).judge([request(1)], quietRun());

    expect(found?.definition).toEqual({ kind: "accepted" });
  });

  it("returns verdicts even if it cannot write", async () => {
    writeFileSync(folder, "a file stands where the folder should be");
    const [found] = await rememberVerdicts(counted, { folder }).judge([request(1)], quietRun());

    expect(found?.creates).toEqual([{ kind: "accepted" }]);
  });
});
