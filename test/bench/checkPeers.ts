import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { isJsonObject, type JsonObject } from "../../src/kubernetes/object.ts";
import { environmentFrom, findOnPath } from "../../src/systems/environment.ts";
import { runToEnd, type Program } from "./wholeProcess.ts";
import type { Workbench } from "./workbench.ts";

const KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0";
const KUBECTL_VALIDATE = "sigs.k8s.io/kubectl-validate@v0.0.4";

/** The programs that judge the same files, ready to run. */
export interface Peers {
  readonly kubeconform: Program;
  readonly kubectlValidate: Program;
}

/** Both peers for the ModuleTemplates in `folders`, or why this machine has none. */
export async function preparePeers(
  folders: readonly string[],
  bench: Pick<Workbench, "folder" | "say" | "signal">,
): Promise<Peers | { readonly missing: string }> {
  const found = await install(bench);
  if ("missing" in found) return found;
  const definition = JSON.stringify(lifecycleManagerDefinitions()[0]);
  const [definitions, schemas] = [join(bench.folder, "definitions"), join(bench.folder, "schemas")];
  write(join(definitions, "moduletemplate.yaml"), definition);
  // kubeconform lowers the case of kinds.
  write(join(schemas, "moduletemplate.json"), JSON.stringify(closed(schemaIn(definition))));
  const location = join(schemas, "{{.ResourceKind}}.json");
  const flags = ["-strict", "-n", "2", "-summary", "-schema-location", location];
  const cwd = bench.folder;
  return {
    kubeconform: { program: found.kubeconform, args: [...flags, ...folders], cwd },
    kubectlValidate: { program: found.kubectlValidate, args: ["--local-crds", definitions, ...folders], cwd },
  };
}

interface Installed {
  readonly kubeconform: string;
  readonly kubectlValidate: string;
}

/** Installs both once, into the user's cache folder. */
async function install({
  say,
  signal,
}: Pick<Workbench, "say" | "signal">): Promise<Installed | { readonly missing: string }> {
  const folder = join(environmentFrom(process.env).cacheDir, "kyma-modules", "bench");
  const installed: Installed = {
    kubeconform: join(folder, "kubeconform-0.7.0", "kubeconform"),
    kubectlValidate: join(folder, "kubectl-validate-0.0.4", "kubectl-validate"),
  };
  const go = await findOnPath("go", process.env);
  for (const [module, program] of [
    [KUBECONFORM, installed.kubeconform],
    [KUBECTL_VALIDATE, installed.kubectlValidate],
  ] as const) {
    if (existsSync(program)) continue;
    if (go === undefined) return { missing: "there is no go on the PATH to install kubeconform and kubectl-validate" };
    say(`check: go install ${module}`);
    const env = { GOBIN: dirname(program), GOFLAGS: "-buildvcs=false" };
    await runToEnd({ program: go, args: ["install", "-trimpath", module], cwd: tmpdir(), env }, signal);
  }
  return installed;
}

/**
 * A structural schema as the JSON Schema that refuses unknown fields, as the API server does when it is asked strictly.
 * What only Kubernetes knows is left out: kubeconform would not judge by it.
 */
function closed(schema: JsonObject): JsonObject {
  const { properties, items, additionalProperties, ...rest } = schema;
  const kept = Object.entries(rest).filter(([keyword]) => !keyword.startsWith("x-kubernetes-"));
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  return {
    ...Object.fromEntries(kept),
    ...(isJsonObject(items) ? { items: closed(items) } : {}),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: closed(additionalProperties) } : {}),
    ...(isJsonObject(properties) ? { properties: closedAll(properties), additionalProperties: isOpen } : {}),
  };
}

function closedAll(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, isJsonObject(property) ? closed(property) : true]),
  );
}

function schemaIn(definition: string): JsonObject {
  const { spec } = JSON.parse(definition) as Definition;
  const [version] = spec.versions;
  if (version === undefined) throw new Error("a definition without versions");
  return version.schema.openAPIV3Schema;
}

interface Definition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: JsonObject } }[] };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
