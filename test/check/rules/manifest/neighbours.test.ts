import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpManifest,
  bumpTemplate,
  FAST,
  manifestPath,
  manifestText,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { manifestClaimed } from "../../../../src/check/rules/manifest/claimed.ts";
import { manifestDataRemoved } from "../../../../src/check/rules/manifest/dataRemoved.ts";
import { manifestForeign } from "../../../../src/check/rules/manifest/foreign.ts";
import { manifestNamespace } from "../../../../src/check/rules/manifest/namespace.ts";
import { manifestWorkloadRenamed } from "../../../../src/check/rules/manifest/workloadRenamed.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const PATH = manifestPath("1.2.0");
const OTHER = templateText("fast", "1.0.0")
  .replace("sample-fast", "other-fast")
  .replace(/(module-name|moduleName): sample/g, "$1: other");
const OTHER_MANIFEST = manifestText("1.0.0")
  .replaceAll("sample", "other")
  .replace(
    "kind: ClusterRole\nmetadata:\n  name: other-manager",
    "kind: ClusterRole\nmetadata:\n  name: sample-manager",
  );

describe("a claim", () => {
  test("is seen from both sides where both are judged", async () => {
    const { base = {} } = manifestClaimed.bad;
    expect(said(manifestClaimed, await wholeContext({ ...base, ...BUMP }))).toEqual([
      mentions("error ClusterRole sample-manager", "sample 1.2.0"),
      mentions("error ClusterRole sample-manager", "other 1.0.0"),
    ]);
  });

  test("is not found where the manifest of the other module is unknown", async () => {
    const base = {
      ...manifestClaimed.bad.base,
      "modules/other/1.0.0/manifest.yaml": undefined,
      "modules/other/0.9.0/manifest.yaml": "",
    };
    expect(said(manifestClaimed, await contextOf({ base, change: BUMP }))).toEqual([
      mentions("not run", "unknown", "modules", "channel"),
    ]);
  });

  test("may be in the part of the other manifest that cannot be read, if its text has the name", async () => {
    const { base = {} } = manifestClaimed.bad;
    const other = (text: string): ExampleFiles => ({
      ...base,
      "modules/other/1.0.0/manifest.yaml": `kind: [\n# ${text}\n`,
    });

    expect(said(manifestClaimed, await contextOf({ base: other("sample-manager"), change: BUMP }))).toEqual([
      mentions("not run", "unknown", "modules", "channel"),
    ]);
    expect(said(manifestClaimed, await contextOf({ base: other("nothing"), change: BUMP }))).toEqual([]);
  });

  test("counts between a mandatory channel and every other, but not for kyma-system itself", async () => {
    const { base = {} } = manifestClaimed.bad;
    const namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata: { name: kyma-system }\n";
    const other = OTHER_MANIFEST + namespace;
    const template = OTHER.replaceAll("fast", "always");
    const files = {
      ...base,
      "channels/fast/other.yaml": undefined,
      "channels/always.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n",
      "channels/always/other.yaml": template,
      "modules/other/1.0.0/manifest.yaml": other,
    };
    const change = { ...BUMP, [PATH]: manifestText("1.2.0") + namespace };
    expect(said(manifestClaimed, await contextOf({ base: files, change }))).toEqual([
      mentions("error ClusterRole sample-manager", "other 1.0.0"),
    ]);
    const apart = { ...files, "channels/always.yaml": "format: 1\nlandscapes: [dev]\n" };
    expect(said(manifestClaimed, await contextOf({ base: apart, change }))).toEqual([]);
  });
});

describe("a namespace", () => {
  test("is missing where a namespaced object names none, and is superfluous elsewhere", async () => {
    const none = bumpManifest("name: sample-manager\n  namespace: kyma-system\n---", "name: sample-manager\n---");
    expect(said(manifestNamespace, await contextOf({ change: none }))).toEqual([
      mentions("warning ServiceAccount sample-manager", "no namespace"),
    ]);
    const much = bumpManifest("name: sample-manager\nrules", "name: sample-manager\n  namespace: kyma-system\nrules");
    expect(said(manifestNamespace, await contextOf({ change: much }))).toEqual([
      mentions("note ClusterRole kyma-system/sample-manager", "cluster-scoped", "namespace kyma-system"),
    ]);
  });

  test("is known for the kinds of the manifest itself", async () => {
    const more =
      "---\napiVersion: operator.example.com/v1\nkind: Sample\nmetadata: { name: a }\n---\napiVersion: other.example.com/v1\nkind: Other\nmetadata: { name: a }\n";
    expect(
      said(manifestNamespace, await contextOf({ change: { ...BUMP, [PATH]: manifestText("1.2.0") + more } })),
    ).toEqual([mentions("warning Sample a", "no namespace")]);
  });
});

function unmanaged(version: string): string {
  return templateText("fast", version).replace(/ {2}manager:\n( {4}.*\n)+/, "");
}

describe("an object with data", () => {
  const claim = (name: string): string =>
    `---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name}, namespace: kyma-system }\n`;
  const namespace = (name: string): string => `---\napiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`;
  const served = claim("queue") + namespace("sample-data") + namespace("kyma-system");

  test("is missed once, in each version in service that has it; kyma-system is never deleted", async () => {
    const base = {
      [manifestPath("1.0.0")]: manifestText("1.0.0") + claim("queue"),
      [manifestPath("1.1.0")]: manifestText("1.1.0") + served,
    };

    expect(said(manifestDataRemoved, await contextOf({ base, change: BUMP }))).toEqual([
      mentions("error", "PersistentVolumeClaim kyma-system/queue", "1.1.0, 1.0.0"),
      mentions("error", "Namespace sample-data", "1.1.0"),
    ]);
    const kept = { ...BUMP, [PATH]: manifestText("1.2.0") + claim("queue") + namespace("sample-data") };
    expect(said(manifestDataRemoved, await contextOf({ base, change: kept }))).toEqual([]);
    const renamed = { ...BUMP, [PATH]: manifestText("1.2.0") + claim("other") + namespace("sample-data") };
    expect(said(manifestDataRemoved, await contextOf({ base, change: renamed }))).toEqual([
      mentions("error", "PersistentVolumeClaim kyma-system/queue", "1.1.0, 1.0.0"),
    ]);
  });

  test("may be in a served manifest that is unknown", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };

    expect(said(manifestDataRemoved, await contextOf({ base, change: BUMP }))).toEqual([mentions("not run", "1.1.0")]);
  });
});

describe("a workload", () => {
  const { change } = manifestWorkloadRenamed.bad;
  const manager = (text: string): ExampleFiles => bumpTemplate("kind: Deployment\n    name: sample-manager", text);

  test("may be removed or added, but not both at once", async () => {
    const text = manifestText("1.2.0");
    const deployment = text.slice(text.lastIndexOf("---"));
    const more = { ...BUMP, [PATH]: text + deployment.replace("name: sample-manager", "name: second") };
    expect(said(manifestWorkloadRenamed, await contextOf({ change: more }))).toEqual([]);
    const less = { ...BUMP, [PATH]: text.slice(0, text.lastIndexOf("---")) };
    expect(said(manifestWorkloadRenamed, await contextOf({ change: less }))).toEqual([]);
    expect(said(manifestWorkloadRenamed, await contextOf({ change }))).toEqual([
      mentions(
        `${PATH}:41 error`,
        "Deployment kyma-system/sample-operator",
        "Deployment kyma-system/sample-manager",
        "1.1.0, 1.0.0",
        "both run",
      ),
    ]);
  });

  test("is renamed as well where the template names another manager", async () => {
    expect(
      said(
        manifestWorkloadRenamed,
        await contextOf({ change: manager("kind: StatefulSet\n    name: sample-manager") }),
      ),
    ).toEqual([mentions("error", "manager", "of 1.1.0, 1.0.0", "both run")]);
    const removed = unmanaged("1.2.0");
    expect(said(manifestWorkloadRenamed, await contextOf({ change: { ...BUMP, [FAST]: removed } }))).toEqual([]);
    const base = { [FAST]: unmanaged("1.1.0") };
    const context = await contextOf({ base, change: manager("kind: Deployment\n    name: other") });
    expect(said(manifestWorkloadRenamed, context)).toEqual([mentions("error", "manager", "of 1.0.0")]);
  });

  test("is not judged against a version that cannot be read, nor where nothing changes", async () => {
    const context = await contextOf({ base: { [manifestPath("1.0.0")]: undefined }, change: BUMP });
    expect(said(manifestWorkloadRenamed, context)).toEqual([
      mentions("not run", "1.0.0", "manifest", "examples ask no server"),
    ]);
    expect(said(manifestWorkloadRenamed, await wholeContext({}))).toEqual([]);
  });
});

describe("a foreign object", () => {
  const judged = async (object: string): Promise<readonly string[]> =>
    said(manifestForeign, await contextOf({ change: { ...BUMP, [PATH]: `${manifestText("1.2.0")}---\n${object}` } }));

  test.each([
    ["an owner", "ownerReferences: [{ apiVersion: v1, kind: Node, name: node-1, uid: abc }]", "names an owner"],
    ["a finalizer", "finalizers: [example.org/keep]", "has finalizers"],
  ])("has %s", async (_, field, message) => {
    const object = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: kyma-system, ${field} }\n`;

    expect(await judged(object)).toEqual([expect.stringContaining(`error ConfigMap kyma-system/a ${message}`)]);
  });

  test("has no owner and no finalizer if the lists are empty", async () => {
    const metadata = "metadata: { name: a, namespace: kyma-system, ownerReferences: [], finalizers: null }";

    expect(await judged(`apiVersion: v1\nkind: ConfigMap\n${metadata}\n`)).toEqual([]);
  });

  test("is not one of the module's own kinds, or of another group", async () => {
    const metadata = "metadata: { name: a, namespace: kyma-system }";

    expect(await judged(`apiVersion: operator.kyma-project.io/v1\nkind: Sample\n${metadata}\n`)).toEqual([]);
    expect(await judged(`apiVersion: example.org/v1\nkind: Manifest\n${metadata}\n`)).toEqual([]);
  });
});
