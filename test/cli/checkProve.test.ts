import { describe, expect, inject, it, type TestContext } from "vitest";
import { BUMP, bumpManifest, manifestPath, type ExampleFiles } from "../../src/check/example.ts";
import type { CheckPorts } from "../../src/cli/compose/compose.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { trialServer } from "../../src/systems/kubernetes/trial.ts";
import { storedAsV2 } from "../check/exampleWorld.ts";
import { sharedApiServer, type ApiServer } from "../kubernetes/apiServer.ts";
import { checkThrough, sampleRepository } from "./checking.ts";
import type { Ended } from "./program.ts";
import { long } from "../support/long.ts";

const MANIFEST = manifestPath("1.2.0");
const DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/samples.operator.example.com";

/** The line of the manifest that holds `part`. */
function lineOf(change: ExampleFiles, part: string): number {
  const text = change[MANIFEST];
  return typeof text === "string" ? text.split("\n").findIndex((line) => line.includes(part)) + 1 : 0;
}

/** Removes the definition, so that the next one can be installed as on a server of its own. */
async function clear(server: ApiServer): Promise<void> {
  await server.send("DELETE", DEFINITION);
  while ((await server.send("GET", DEFINITION)).status !== 404) await new Promise((done) => setTimeout(done, 20));
}

/** What --prove says and writes of a change of the sample, on the control plane that the tests share. */
async function prove(
  change: ExampleFiles,
  line: number,
  context: TestContext,
): Promise<Ended & { readonly files: ReadonlyMap<string, string> }> {
  const [shared, server] = [inject("controlPlane"), sharedApiServer()];
  if ("skipped" in shared || "skipped" in server) return context.skip("there is no control plane");
  const repository = sampleRepository();
  const base = repository.git("rev-parse", "HEAD");
  const texts = Object.entries(change).flatMap(([path, text]) => (typeof text === "string" ? [[path, text]] : []));
  repository.write(Object.fromEntries(texts) as Readonly<Record<string, string>>);
  let files: ReadonlyMap<string, string> = new Map();
  const ports: Partial<CheckPorts> = {
    writeFolder: (_, written) => {
      files = written;
      return Promise.resolve();
    },
    startTrial: async () => {
      const access = await openAccess({ kubeconfig: shared.kubeconfig });
      return { server: trialServer(access, true), stop: () => clear(server) };
    },
  };
  const args = ["--base", base, "--worktree", "--offline", "--prove", `${MANIFEST}:${line}`];
  return { ...(await checkThrough(ports, repository.path, args)), files };
}

describe("--prove", () => {
  it("reproduces on an API server that a new object is refused, and writes the files", async (context) => {
    const change = bumpManifest("maximum: 5", "maximum: 3");
    const { code, stdout, files } = await prove(change, lineOf(change, "maximum: 3"), context);

    expect(stdout).toMatch(
      /old\.yaml {2}1\.1\.0 {2}accepts it\n {2}new\.yaml {2}1\.2\.0 {2}refuses it: spec\.replicas: .*4/,
    );
    expect(stdout).toMatch(/\n.*\bAPI server\b.*\n$/);
    expect(code).toBe(0);
    expect([...files.keys()]).toEqual(["old.yaml", "new.yaml", "object.yaml"]);
    expect(files.get("object.yaml")).toMatch(/\nspec:\n {2}replicas: 4\n$/);
    expect(files.get("new.yaml")).toContain("maximum: 3");
  });

  long("reproduces that a change is refused", async (context) => {
    const rule = "x-kubernetes-validations: [{ rule: 'self == oldSelf' }]";
    const change = bumpManifest("            spec:", `            spec:\n              ${rule}`);
    const { code, stdout, files } = await prove(change, lineOf(change, rule), context);

    expect(stdout).toMatch(/accepts it\n.* refuses it: spec: /);
    expect([code, [...files.keys()]]).toEqual([0, ["old.yaml", "new.yaml", "object.yaml", "changed.yaml"]]);
  });

  long("reproduces lost fields", async (context) => {
    const schema = "{ openAPIV3Schema: { type: object, properties: { spec: { type: object } } } }";
    const change = storedAsV2(schema);
    const { code, stdout } = await prove(change, lineOf(change, "name: v2"), context);

    expect(stdout).toMatch(/keeps spec: \{"replicas":1\}\n.* keeps spec: \{\}\n/);
    expect(code).toBe(0);
  });

  it("names the proven findings for another place", async (context) => {
    const { code, stderr } = await prove(bumpManifest("maximum: 5", "maximum: 3"), 1, context);
    const none = await prove(BUMP, 1, context);

    expect([code, none.code]).toEqual([2, 2]);
    expect(stderr).toMatch(/\S+:1\b.* modules\/sample\/1\.2\.0\/manifest\.yaml:\d+:\d+\b/);
    expect(none.stderr).toMatch(/ \S+\.yaml:1\b/);
    expect(none.stderr).not.toMatch(/:\d+:\d+/);
  });
});
