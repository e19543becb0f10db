import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { load, loadAll } from "js-yaml";
import { afterAll, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { installDefinition, sharedApiServer, type DefinitionLike } from "../kubernetes/apiServer.ts";
import { describeUnless } from "../support/describeUnless.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const MANIFESTS = globSync("modules/*/*/manifest.yaml", { cwd: ROOT }).sort();
const DRY = "?fieldManager=test&force=true&dryRun=All&fieldValidation=Strict";

const server = sharedApiServer();
const skipped = "skipped" in server ? server.skipped : undefined;

/** The API path of an object of a manifest. */
function pathOf({ apiVersion, kind, metadata }: KubernetesObject, plural = `${kind.toLowerCase()}s`): string {
  const api = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = metadata.namespace === undefined ? "" : `/namespaces/default`;
  return `${api}${place}/${plural}/${metadata.name}`;
}

/** The namespace of the manifests need not exist: validation does not depend on it. */
const inDefault = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, ...(object.metadata.namespace === undefined ? {} : { namespace: "default" }) },
});

describeUnless(skipped, "the sample on a real API server", () => {
  const installed = new Set<string>();

  afterAll(async () => {
    if ("skipped" in server) return;
    for (const name of installed)
      await server.send("DELETE", `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
  });

  it.each(MANIFESTS)("accepts %s, and the default CR beside it", async (path) => {
    if ("skipped" in server) return;
    const objects = loadAll(read(path)) as KubernetesObject[];
    const [definition, ...others] = objects as [KubernetesObject & DefinitionLike, ...KubernetesObject[]];
    installed.add(definition.metadata.name);
    await installDefinition(server, definition);
    const custom = load(read(join(dirname(path), "default-cr.yaml"))) as KubernetesObject;

    for (const object of others) {
      expect(await server.send("PATCH", `${pathOf(object)}${DRY}`, inDefault(object))).toMatchObject({ status: 201 });
    }
    const customPath = pathOf(custom, definition.spec.names.plural);
    expect(await server.send("PATCH", `${customPath}${DRY}`, inDefault(custom))).toMatchObject({ status: 201 });
  });
});
