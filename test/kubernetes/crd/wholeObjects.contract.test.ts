import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { compareDefinitions, type Counterexample } from "../../../src/kubernetes/crd/compare.ts";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { openValidator } from "../../../src/systems/validator.ts";
import { describeUnless } from "../../support/describeUnless.ts";
import { long } from "../../support/long.ts";
import { quietRun } from "../../support/quietRun.ts";
import { sharedApiServer, type ApiServer } from "../apiServer.ts";
import { accepts, create, firstProof, install, replace, uninstall } from "./bothVersions.ts";
import { definitionOf, version, withSpec, type TestDefinition } from "./definitions.ts";
import { INTEGER, TEXT } from "./pairs.ts";

const server = sharedApiServer();
const skipped = "skipped" in server ? server.skipped : undefined;
const [OLD, NEW, BOTH, KEPT, MOVED] = ["old", "new", "both", "kept", "moved"].map(
  (name) => `${name}.whole.example.org`,
) as [string, string, string, string, string];

const status = (fields: JsonObject, name: JsonObject = TEXT): JsonObject => ({
  type: "object",
  properties: {
    metadata: { type: "object", properties: { name } },
    status: { type: "object", properties: fields },
  },
});
const definition = (group: string, openAPIV3Schema: JsonObject): TestDefinition => {
  const rest = { storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } };
  return withSpec(definitionOf({}, group), { versions: [version("v1", rest)] });
};
const old = (group: string): TestDefinition => definition(group, status({ state: TEXT, more: TEXT }));
const wanted = (group: string): TestDefinition =>
  definition(group, status({ state: { ...TEXT, maxLength: 3 } }, { ...TEXT, maxLength: 5 }));

const fields = (properties: JsonObject): JsonObject => ({
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
});
const twoVersions = withSpec(definitionOf({}, BOTH), {
  versions: [
    version("v1", { storage: true, schema: fields({ size: INTEGER, more: INTEGER }) }),
    version("v2", { schema: fields({ size: INTEGER }) }),
  ],
});

describeUnless(skipped, "whole objects on a real API server", () => {
  const api = server as ApiServer;

  beforeAll(async () => {
    await Promise.all([install(api, old(OLD)), install(api, wanted(NEW)), install(api, twoVersions)]);
  });

  afterAll(() => uninstall(api, [OLD, NEW, BOTH, KEPT, MOVED]));

  it("are not refused for a narrower status", async () => {
    const changes = compareDefinitions(old("example.org"), wanted("example.org")).filter(({ field }) =>
      field.startsWith(".status"),
    );
    expect(changes.map(({ check, class: impact }) => [check, impact])).toEqual([
      ["field-removed", "risky"],
      ["max-length-narrowed", "risky"],
    ]);
    const object = {
      apiVersion: "example.org/v1",
      kind: "Sample",
      metadata: { name: "name" },
      status: { state: "longer than 3" },
    };
    const narrowed: Counterexample = { kind: "create", object };
    expect(await accepts(api, NEW, narrowed, "narrowed")).toBe(true);
  });

  it("are refused for a name that is too long now", async () => {
    const changes = compareDefinitions(old("example.org"), wanted("example.org")).filter(
      ({ field }) => field === ".metadata.name",
    );
    const examples = changes.flatMap(({ counterexamples }) => counterexamples);
    expect(await firstProof(api, { old: OLD, new: NEW }, "name", examples)).toBeDefined();
  });

  it("lose the fields that a new version does not have, without a conversion", async () => {
    const [first, ...others] = twoVersions.spec.versions;
    const before = withSpec(twoVersions, { versions: first === undefined ? [] : [first] });
    expect(others).toHaveLength(1);
    expect(compareDefinitions(before, twoVersions).map(({ check, field }) => [check, field])).toContainEqual([
      "new-version-differs",
      ".",
    ]);
    const object = {
      apiVersion: "example.org/v1",
      kind: "Sample",
      metadata: { name: "x" },
      spec: { size: 1, more: 2 },
    };
    expect((await create(api, BOTH, object, "x")).status).toBe(201);
    const path = `/apis/${BOTH}/v2/namespaces/default/samples/x`;
    const read = await api.send("GET", path);
    expect(JSON.parse(read.text)).toHaveProperty("spec", { size: 1 });
  });

  long("are read as Kubernetes' validation says when they are stored in another version", async () => {
    const definition = withSpec(definitionOf({}, MOVED), {
      versions: [
        version("v1", { schema: fields({ size: INTEGER, more: { ...INTEGER, default: 3 }, extra: INTEGER }) }),
        version("v2", { storage: true, schema: fields({ size: INTEGER, extra: { ...INTEGER, default: 7 } }) }),
      ],
    });
    const object = { apiVersion: `${MOVED}/v1`, kind: "Sample", metadata: { name: "x" }, spec: { size: 1 } };
    const validator = openValidator();
    onTestFinished(() => validator.close());
    const [said] = await validator.judge([{ definition, creates: [], updates: [], reads: [object] }], quietRun());
    await install(api, definition);
    expect((await create(api, MOVED, object, "x")).status).toBe(201);
    const read = await api.send("GET", `/apis/${MOVED}/v1/namespaces/default/samples/x`);

    expect(said?.reads).toEqual([
      { kind: "accepted", object: expect.objectContaining({ spec: { size: 1, extra: 7 } }) as unknown },
    ]);
    expect(JSON.parse(read.text)).toHaveProperty("spec", { size: 1, extra: 7 });
  });

  it("may keep in an update values that a creation would refuse", async () => {
    const object = { apiVersion: "example.org/v1", kind: "Sample", metadata: { name: "kept" }, spec: { size: 20 } };
    const narrow = (maximum: number): TestDefinition => {
      const schema = fields({ size: { ...INTEGER, maximum }, more: INTEGER });
      return withSpec(definitionOf({}, KEPT), { versions: [version("v1", { storage: true, schema })] });
    };
    await install(api, narrow(100));
    const stored = JSON.parse((await create(api, KEPT, object, "kept")).text) as { spec: JsonObject };
    expect((await replace(api, narrow(10), "")).status).toBe(200);
    await vi.waitFor(async () => {
      expect((await create(api, KEPT, object)).status).toBe(422);
    }, 10_000);
    const path = `/apis/${KEPT}/v1/namespaces/default/samples/kept?dryRun=All`;
    expect((await api.send("PUT", path, { ...stored, spec: { size: 20, more: 1 } })).status).toBe(200);
    expect((await api.send("PUT", path, { ...stored, spec: { size: 21 } })).status).toBe(422);
  });
});
