import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, expect } from "vitest";
import { compareDefinitions, type SchemaChange } from "../../../src/kubernetes/crd/compare.ts";
import { sharedApiServer, type ApiServer } from "../apiServer.ts";
import { install, uninstall } from "./bothVersions.ts";
import { withSpec, type TestDefinition } from "./definitions.ts";
import { describeUnless } from "../../support/describeUnless.ts";
import { long } from "../../support/long.ts";

const CRDS = join(import.meta.dirname, "../../../../shared/kyma-data/crds");
const server = sharedApiServer();
const skipped = existsSync(CRDS)
  ? "skipped" in server
    ? server.skipped
    : undefined
  : "there is no ../shared/kyma-data beside this repository";

/** A real definition under a group of its own, all versions served and nothing converted. */
interface Installed {
  readonly group: string;
  readonly plural: string;
  readonly definition: TestDefinition;
}

function installed(): readonly Installed[] {
  return globSync("*__lm*.yaml", { cwd: CRDS })
    .sort()
    .map((file, index) => {
      const documents = loadAll(readFileSync(join(CRDS, file), "utf8")) as (TestDefinition | null)[];
      const real = documents.find((document) => document !== null);
      if (real === undefined) throw new Error(`${file} is empty`);
      const group = `real-${index}.compatibility.example.org`;
      const versions = real.spec.versions.map((version) => ({ ...version, served: true }));
      const { plural } = real.spec.names;
      const metadata = { name: `${plural}.${group}` };
      const definition = { ...real, metadata, spec: { ...real.spec, versions, conversion: { strategy: "None" } } };
      return { group, plural, definition: withSpec(definition, { group }) };
    });
}

/** Whether an object that the old definition accepts is refused by the new one. */
async function isProved(api: ApiServer, old: Installed, wanted: Installed, change: SchemaChange): Promise<boolean> {
  for (const example of change.counterexamples) {
    if (example.kind === "update") continue;
    const version = (example.object["apiVersion"] as string).split("/")[1] ?? "";
    const [before, after] = await Promise.all(
      [old, wanted].map(async ({ group, plural }) => {
        const path = `/apis/${group}/${version}/namespaces/default/${plural}?dryRun=All&fieldValidation=Strict`;
        return api.send("POST", path, { ...example.object, apiVersion: `${group}/${version}` });
      }),
    );
    if (before?.status === 201 && after?.status !== 201) return true;
  }
  return false;
}

describeUnless(skipped, "breaking changes between releases of lifecycle-manager, on a real API server", () => {
  const api = server as ApiServer;
  const definitions = skipped === undefined ? installed() : [];

  beforeAll(async () => {
    await Promise.all(definitions.map(({ definition }) => install(api, definition)));
  });

  afterAll(async () => {
    await Promise.all(definitions.map(({ group, plural }) => uninstall(api, [group], plural)));
  });

  long("are each proved by a small object, in both directions, if they follow from the schemas alone", async () => {
    const pairs = definitions.flatMap((old) => definitions.map((wanted) => [old, wanted] as const));
    const sameKind = pairs.filter(([old, wanted]) => old !== wanted && old.plural === wanted.plural);
    const unproved: string[] = [];
    let proved = 0;
    for (const [old, wanted] of sameKind) {
      const changes = compareDefinitions(
        withSpec(old.definition, { group: "same" }),
        withSpec(wanted.definition, { group: "same" }),
      );
      for (const change of changes.filter((each) => each.class === "breaking" && each.certain)) {
        if (await isProved(api, old, wanted, change)) proved++;
        else unproved.push(`${old.group} to ${wanted.group}: ${change.message}`);
      }
    }
    expect(unproved).toEqual([]);
    expect(proved).toBeGreaterThan(80);
  });
});
