import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root, temporaryFolder } from "../house/clone.ts";
import { startSingleNode } from "../single-node/singleNode.ts";
import { managed } from "../smoke/managedModule.ts";
import type { SampleVersion } from "../smoke/sampleModule.ts";
import { itemsOf, openSmokeSite, startSmoke, traces, type Versions } from "./smoke/site.ts";

const MANIFEST = join(root, "../shared/kyma-data/manifests/lifecycle-manager__template-operator-manifest__1.20.4.yaml");
const OPERATOR_IMAGE = "europe-docker.pkg.dev/kyma-project/dev/template-operator";

const open = openSmokeSite(`${OPERATOR_IMAGE}:PR-58`, `${OPERATOR_IMAGE}:PR-59`);

const GOOD: Versions = [managed("good", "1.0.0"), managed("good", "1.1.0")];

describe("smoke with pods", () => {
  it("passes a good module, installed and upgraded, in every step", async (context) => {
    const { smoke, outside } = open(context);
    const ended = await smoke("good", GOOD, "--format", "json").ended;
    const items = itemsOf(ended);

    expect(items.map(({ from, result, pods }) => [from, result, pods])).toEqual([
      [null, "passed", true],
      ["1.0.0", "passed", true],
    ]);
    const steps = items.flatMap((item) => item.steps);
    expect(steps.filter(({ result }) => result !== "passed")).toEqual([]);
    expect(ended.code).toBe(0);
    const footprints = items.flatMap(({ footprint }) => [footprint?.from, footprint?.to]);
    const measured = { memoryBytes: expect.any(Number) as number, startSeconds: expect.any(Number) as number };
    expect(footprints).toMatchObject([undefined, measured, measured, measured]);
    expect(await traces(outside, "good")).toEqual([]);
  });

  it("passes the manifest of a real operator", async (context) => {
    if (!existsSync(MANIFEST)) context.skip("there is no ../shared/kyma-data beside this repository");
    const { smoke, outside } = open(context);
    const versions = [operator("PR-58"), operator("PR-59")] as const;
    const ended = await smoke("operator", versions, "--format", "json").ended;

    const failures = itemsOf(ended).flatMap(({ steps }) => steps.filter(({ result }) => result !== "passed"));
    expect(failures).toEqual([]);
    expect(await traces(outside, "template-operator")).toEqual([]);
  });

  it("shows the message of a module about a required API that is missing", async (context) => {
    const { smoke } = open(context);
    const needy = managed("needy", "1.1.0", { flags: ["--requires=missing.example.com/v1"] });
    const requires = [{ group: "missing.example.com", version: "v1", kind: "Missing" }];
    const versions = [managed("needy", "1.0.0"), { ...needy, requires }] as const;
    const ended = await smoke("needy", versions, "--format", "json").ended;
    const [install] = itemsOf(ended);

    expect(install?.steps.filter(({ result }) => result === "failed")).toEqual([]);
    expect(install?.steps.find(({ step }) => step === "dependencies")?.notes).toContain(
      "without Missing (missing.example.com/v1) Needy kyma-system/default is Warning: it reports this",
    );
  });

  it("leaves nothing of a module when Ctrl-C ends it", async (context) => {
    const { smoke, outside } = open(context);
    const running = smoke("good", GOOD);
    await running.says(/install passed/);
    running.signal("SIGINT");

    expect((await running.ended).code).toBe(130);
    expect(await traces(outside, "good")).toEqual([]);
  });

  it("removes the objects that a killed run left", async (context) => {
    const { smoke, outside } = open(context);
    const killed = smoke("good", GOOD);
    await killed.says(/install passed/);
    killed.signal("SIGKILL");
    await killed.ended;
    expect(await traces(outside, "good")).not.toEqual([]);

    expect((await smoke("good", GOOD).ended).code).toBe(0);
    expect(await traces(outside, "good")).toEqual([]);
  });

  it("reports no failure of a module when the cluster dies", async (context) => {
    open(context);
    const other = await startSingleNode("node");
    if ("skipped" in other) return context.skip(other.skipped);
    // The kubeconfig is removed with its node, but the program reads it for every path.
    const kubeconfigPath = join(temporaryFolder(), "kubeconfig");
    copyFileSync(other.kubeconfigPath, kubeconfigPath);
    onTestFinished(() => {
      rmSync(dirname(kubeconfigPath), { recursive: true });
    });
    const running = startSmoke({ kubeconfigPath }, "good", GOOD, "--format", "json");
    // The node has no image of the manager, so that the module is never installed.
    await running.says(/manifests passed/);
    await other.stop();
    const ended = await running.ended;

    expect(itemsOf(ended).map(({ result }) => result)).toEqual(["undecided", "undecided"]);
    expect(ended.code).toBe(3);
  });
});

/** The manifest of the operator, with another tag of its image, and the expected state of its resource. */
function operator(tag: string): SampleVersion {
  const text = readFileSync(MANIFEST, "utf8").replace("PR-58", tag).replace("final-state=Warning", "final-state=Ready");
  const metadata = { name: "sample", namespace: "kyma-system" };
  return {
    manifest: text,
    defaultCr: () => ({ apiVersion: "operator.kyma-project.io/v1alpha1", kind: "Sample", metadata, spec: {} }),
  };
}
