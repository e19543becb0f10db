import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { beforeAll, expect, it } from "vitest";
import { SCHEMAS, validate } from "../../src/catalogue/schema.ts";
import {
  customResourceDefinition,
  MODULE_RELEASE_META_NAMES,
  MODULE_TEMPLATE_NAMES,
  type KindNames,
} from "../../src/kubernetes/customResourceDefinition.ts";
import type { Json, JsonObject } from "../../src/kubernetes/object.ts";
import { installDefinition, sharedApiServer, type ApiServer, type DefinitionLike } from "./apiServer.ts";
import { mutate, withValue, type Mutation } from "./mutations.ts";
import { describeUnless } from "../support/describeUnless.ts";

const ROOT = join(import.meta.dirname, "../..");
const CRDS = join(ROOT, "../shared/kyma-data/crds");
const REAL = "real.operator.kyma-project.io";
const OURS = "ours.operator.kyma-project.io";
const SEED = 20_260_504;

const KINDS = {
  ModuleTemplate: { names: MODULE_TEMPLATE_NAMES, schema: "moduleTemplate" },
  ModuleReleaseMeta: { names: MODULE_RELEASE_META_NAMES, schema: "moduleReleaseMeta" },
} as const;

type Kind = keyof typeof KINDS;
const kindOf = (document: JsonObject): Kind =>
  document["kind"] === "ModuleTemplate" ? "ModuleTemplate" : "ModuleReleaseMeta";

/** Why the catalogue refuses what the API server takes. */
const STRICTER: Readonly<Record<string, (document: JsonObject) => boolean>> = {
  "the CRD does not require spec, but an object without it says nothing": ({ spec }) =>
    spec === undefined || spec === null,
  "the API server takes any list for a text with a format, and lifecycle-manager cannot read it": ({ spec }) =>
    resourcesOf(spec).some((resource) => Array.isArray(resource?.["link"])),
};

function resourcesOf(spec: Json | undefined): readonly (JsonObject | null)[] {
  const resources = (spec as JsonObject | null | undefined)?.["resources"];
  return Array.isArray(resources) ? (resources as readonly (JsonObject | null)[]) : [];
}

/** The real definition of a kind, moved to another group so that it can stand beside ours. */
function realDefinition({ plural }: KindNames): DefinitionLike {
  const documents = loadAll(readFileSync(join(CRDS, `${plural}__lm-1.20.4.yaml`), "utf8")) as (DefinitionLike | null)[];
  const definition = documents.find((document) => document !== null) ?? undefined;
  if (definition === undefined) throw new Error(`no definition of ${plural}`);
  return { ...definition, metadata: { name: `${plural}.${REAL}` }, spec: { ...definition.spec, group: REAL } };
}

function originals(): readonly JsonObject[] {
  const templates = globSync("channels/*/*.yaml", { cwd: ROOT }).sort();
  const samples = templates.map((file) => load(readFileSync(join(ROOT, file), "utf8")) as JsonObject);
  const metas = SCHEMAS.moduleReleaseMeta["examples"] as readonly JsonObject[];
  return [...samples, ...(SCHEMAS.moduleTemplate["examples"] as readonly JsonObject[]), ...metas, ...metas, ...metas];
}

/** Addresses at the edges of what Go takes for one. */
const LINKS = [
  ...[
    "https://example.org",
    "/path",
    "*",
    "mailto:a",
    "http://",
    "http:///x",
    "https://user:p%20w@host:80/",
    "path",
    ":x",
  ],
  ...[
    "https://[::1]:80/",
    "https://[::1/",
    "https://u@h@x/",
    "https://us^er@host/",
    "https://host:port/",
    "https://a b/",
  ],
  ...[
    "https://ex%61mple.org/",
    "https://example.org/%zz",
    "https://example.org/?%zz#%",
    "//a/b",
    "/%zz",
    "a:/\u007f",
    "a:%",
  ],
  ...["https://ex{ample.org/", "https://example.org/ü", "https://é.org/", "https://a<b>.org/", 'https://a"b.org/'],
];

function mutations(): readonly Mutation[] {
  const all = originals();
  const template = SCHEMAS.moduleTemplate["examples"] as readonly JsonObject[];
  const links = LINKS.flatMap((link) =>
    template.map((document) => ({
      name: `link ${JSON.stringify(link)}`,
      document: withValue(document, ["spec", "resources", 0, "link"], link),
    })),
  );
  const unchanged = all.map((document, index) => ({ name: `original ${String(index)}`, document }));
  return [...unchanged, ...links, ...mutate(all, 600, SEED)];
}

const server = sharedApiServer();
const skipped = existsSync(CRDS)
  ? "skipped" in server
    ? server.skipped
    : undefined
  : "there is no ../shared/kyma-data beside this repository";

interface Verdict {
  readonly name: string;
  readonly document: JsonObject;
  readonly real: string;
  readonly ours: string;
  readonly catalogue: boolean;
}

const summary = ({ name, real, ours, catalogue }: Verdict): string =>
  `${name}: really ${real}, by ours ${ours}, by the catalogue ${catalogue ? "accepted" : "refused"}`;

async function judge({ send }: ApiServer, group: string, document: JsonObject): Promise<string> {
  const { plural } = KINDS[kindOf(document)].names;
  const path = `/apis/${group}/v1beta2/namespaces/default/${plural}?dryRun=All&fieldValidation=Strict`;
  const metadata = { ...(document["metadata"] as JsonObject), namespace: "default" };
  const { status } = await send("POST", path, { ...document, metadata, apiVersion: `${group}/v1beta2` });
  return status === 201 ? "accepted" : `refused with ${String(status)}`;
}

describeUnless(skipped, "the generated definitions, beside the real ones", () => {
  const verdicts: Verdict[] = [];

  beforeAll(async () => {
    if ("skipped" in server) return;
    for (const { names, schema } of Object.values(KINDS)) {
      const ours = customResourceDefinition(SCHEMAS[schema], { ...names, group: OURS });
      await installDefinition(server, ours as KubernetesDefinition);
      await installDefinition(server, realDefinition(names));
    }
    const judged = mutations().map(async ({ name, document }): Promise<Verdict> => {
      const [real, ours] = await Promise.all([judge(server, REAL, document), judge(server, OURS, document)]);
      const catalogue = validate(KINDS[kindOf(document)].schema, document).length === 0;
      return { name, document, real, ours, catalogue };
    });
    verdicts.push(...(await Promise.all(judged)));
  });

  it("accept and refuse the same documents, with the same status", () => {
    expect(verdicts.filter(({ real, ours }) => real !== ours).map(summary)).toEqual([]);
  });

  it("are tested with hundreds of documents, many of them accepted and many refused", () => {
    const accepted = verdicts.filter(({ real }) => real === "accepted").length;

    expect(accepted).toBeGreaterThan(150);
    expect(verdicts.length - accepted).toBeGreaterThan(300);
  });

  it("agree with the schema of the catalogue, except for the listed differences", () => {
    const differing = verdicts.filter(({ real, catalogue }) => (real === "accepted") !== catalogue);
    const unexplained = differing.filter(
      ({ document, catalogue }) => catalogue || !Object.values(STRICTER).some((holds) => holds(document)),
    );

    expect(unexplained.map(summary)).toEqual([]);
  });

  it.each(Object.keys(STRICTER))("show the difference: %s", (reason) => {
    const met = verdicts.filter(({ document, real, catalogue }) => {
      return real === "accepted" && !catalogue && document["kind"] !== undefined && STRICTER[reason]?.(document);
    });

    expect(met).not.toHaveLength(0);
  });
});

type KubernetesDefinition = DefinitionLike & ReturnType<typeof customResourceDefinition>;
