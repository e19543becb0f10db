import { describe, expect, test } from "vitest";
import { parseVersion } from "../../../../src/catalogue/version.ts";
import {
  BUMP,
  bumpManifest,
  edit,
  FAST,
  manifestPath,
  manifestText,
  MODULE,
  REGULAR,
  SAMPLE,
  SETTINGS,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { dependencyRemoved } from "../../../../src/check/rules/dependencies/removed.ts";
import { dependencyServed } from "../../../../src/check/rules/dependencies/served.ts";
import { otherRequiring, requiring } from "../../../../src/check/rules/dependencies/neighbours.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const SAMPLES = "{ group: operator.example.com, version: v1, kind: Sample }";
const OTHERS = "{ group: other.example.com, version: v1, kind: Other }";
const ALONE: ExampleFiles = { [REGULAR]: undefined };
const MANIFEST = manifestPath("1.2.0");

async function served(change: ExampleFiles, base: ExampleFiles = ALONE): Promise<readonly string[]> {
  return said(dependencyServed, await contextOf({ base, change }));
}

async function removed(change: ExampleFiles, base: ExampleFiles): Promise<readonly string[]> {
  return said(dependencyRemoved, await contextOf({ base, change }));
}

describe("an API that a module requires", () => {
  test("may be served by a module of the channel, but each channel counts for itself", async () => {
    expect(await served({ [MODULE]: requiring(SAMPLES) })).toEqual([]);
    const base = { ...otherRequiring(SAMPLES), [REGULAR]: templateText("regular", "1.0.0") };
    expect(await served({ "modules/other/module.yaml": requiring(OTHERS) }, base)).toEqual([
      mentions(
        "modules/other/module.yaml:4 error",
        "other 1.0.0",
        "fast",
        "other.example.com/v1 Other",
        "Kubernetes",
        "fast",
      ),
    ]);
    expect(await served({ [MODULE]: requiring(OTHERS) }, {})).toHaveLength(2);
  });

  test("is a warning where only another channel serves it, which a Kyma can name for a module", async () => {
    const base = {
      "channels/slow.yaml": "format: 1\nlandscapes: [dev]\n",
      "channels/slow/other.yaml": templateText("slow", "1.0.0").replaceAll("sample", "other"),
      "modules/other/1.0.0/manifest.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: other }\n",
    };
    expect(await served({ "modules/other/module.yaml": requiring(SAMPLES) }, base)).toEqual([
      mentions("modules/other/module.yaml:4 warning", "other 1.0.0", "slow", "fast or regular"),
    ]);
  });

  test("may be served by a mandatory module", async () => {
    const base = { ...otherRequiring(SAMPLES), [FAST]: undefined, [REGULAR]: undefined };
    const change = {
      "channels/all.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n",
      "channels/all/sample.yaml": templateText("all", "1.0.0"),
    };
    const context = await wholeContext({ ...base, ...change });
    expect(said(dependencyServed, context)).toEqual([]);
  });

  test("must be served, not only defined", async () => {
    const change = { ...bumpManifest("served: true", "served: false"), [MODULE]: requiring(SAMPLES) };
    expect(await served(change)).toHaveLength(1);
    const other = "{ group: operator.example.com, version: v2, kind: Sample }";
    expect(await served({ [MODULE]: requiring(other) })).toHaveLength(1);
  });

  test("may be Kubernetes' own, as long as every version serves it", async () => {
    expect(await served({ [MODULE]: requiring("{ group: apps, version: v1, kind: Deployment }") })).toEqual([]);
    expect(await served({ [MODULE]: requiring("{ group: batch, version: v1beta1, kind: CronJob }") })).toEqual([
      mentions(`${MODULE}:4 error`, "sample 1.1.0", "fast", "batch/v1beta1 CronJob", "Kubernetes 1.34, 1.36"),
    ]);
    const admission = "{ group: admissionregistration.k8s.io, version: v1beta1, kind: ValidatingAdmissionPolicy }";
    const base = { ...ALONE, [SETTINGS]: edit(String(SAMPLE[SETTINGS]), '"1.34", "1.36"', '"1.33"') };
    expect(await served({ [MODULE]: requiring(admission) }, base)).toEqual([]);
  });

  test("is judged with every change of the module or its templates, and with no other", async () => {
    const base = { ...ALONE, [MODULE]: requiring(OTHERS) };
    expect(await served(BUMP, base)).toHaveLength(1);
    expect(await served({ "modules/other/module.yaml": requiring(SAMPLES) }, base)).toEqual([]);
    expect(said(dependencyServed, await wholeContext(base))).toHaveLength(1);
    expect(await served(BUMP, { ...ALONE, [MODULE]: undefined })).toEqual([]);
  });

  test("may be served by an unknown manifest", async () => {
    const unknown = mentions("not run", "fast", "other.example.com/v1 Other", "manifests", "unknown");
    const change = { [MODULE]: requiring(OTHERS) };
    expect(await served(change, { ...ALONE, [manifestPath("1.1.0")]: undefined })).toEqual([unknown]);
    // The part that cannot be read may define it.
    const spoilt = (text: string): ExampleFiles => ({ [manifestPath("1.1.0")]: `kind: [\n# ${text}\n` });
    expect(await served(change, { ...ALONE, ...spoilt("other.example.com Other") })).toEqual([unknown]);
    expect(await served(change, { ...ALONE, ...spoilt("Sample") })).toEqual([mentions("error", "sample 1.1.0")]);
    // Of a module without inputs in the repository nothing but its module.yaml is read.
    const far = { ...ALONE, ...otherRequiring(SAMPLES), "modules/other/1.0.0/manifest.yaml": undefined };
    expect(await served(change, far)).toEqual([unknown]);
    // In another channel it serves nothing to fast.
    const elsewhere: ExampleFiles = {
      ...{ ...far, "channels/fast/other.yaml": undefined },
      "channels/slow.yaml": "format: 1\nlandscapes: [dev]\n",
      "channels/slow/other.yaml": otherRequiring(SAMPLES)["channels/fast/other.yaml"],
    };
    expect(await served(change, elsewhere)).toEqual([mentions("error", "sample 1.1.0")]);
  });
});

describe("an API that another module requires", () => {
  const base = otherRequiring(SAMPLES);
  const lost = (...parts: readonly string[]): unknown =>
    mentions(...parts, "operator.example.com/v1 Sample", "other", "fast");

  test("may not stop being served", async () => {
    expect(await removed(bumpManifest("served: true", "served: false"), base)).toEqual([
      lost(`${MANIFEST}:11 error`, "sample 1.2.0"),
    ]);
    expect(await removed(bumpManifest("name: v1\n", "name: v2\n"), base)).toEqual([
      lost(`${MANIFEST}:9 error`, "sample 1.2.0"),
    ]);
    const without = manifestText("1.2.0").replace(/^[^]*?---\n/, "");
    expect(await removed({ ...BUMP, [MANIFEST]: without }, base)).toEqual([lost(`${FAST}:11 error`, "sample 1.2.0")]);
    expect(await removed({ [FAST]: undefined, [REGULAR]: templateText("regular", "1.1.0") }, base)).toEqual([
      lost(`modules/other/module.yaml:4 error`, "sample gone"),
    ]);
  });

  test("may be in the part of the served manifest that cannot be read", async () => {
    const spoilt = { ...base, [manifestPath("1.1.0")]: `${manifestText("1.1.0")}---\nkind: [\n` };
    expect(await removed(bumpManifest("served: true", "served: false"), spoilt)).toEqual([
      mentions("not run", "sample 1.1.0", manifestPath("1.1.0"), "line 63"),
    ]);
  });

  test("is missed in every channel where the module was mandatory", async () => {
    const mandatory = { "channels/all.yaml": "format: 1\nkind: mandatory\nlandscapes: [dev]\n" };
    const template = templateText("all", "1.0.0");
    const all = {
      ...base,
      ...mandatory,
      [FAST]: undefined,
      [REGULAR]: undefined,
      "channels/all/sample.yaml": template,
    };
    const change = { ...bumpManifest("served: true", "served: false"), [FAST]: undefined };
    expect(await removed({ ...change, "channels/all/sample.yaml": templateText("all", "1.2.0") }, all)).toEqual([
      lost("sample 1.2.0"),
    ]);
  });

  test("may be served by another module, or stay", async () => {
    expect(await removed(BUMP, base)).toEqual([]);
    const both = {
      ...base,
      "modules/other/1.0.0/manifest.yaml": manifestText("1.0.0").replaceAll("sample-manager", "other"),
    };
    expect(await removed(bumpManifest("served: true", "served: false"), both)).toEqual([]);
  });

  test("is not judged if no module requires it", async () => {
    const change = bumpManifest("served: true", "served: false");
    expect(await removed(change, otherRequiring(OTHERS))).toEqual([]);
    expect(await removed(change, {})).toEqual([]);
    expect(await removed(change, { ...base, "modules/other/module.yaml": undefined })).toEqual([]);
    expect(await removed({ [FAST]: templateText("fast", "1.1.0") }, { ...base, [FAST]: undefined })).toEqual([]);
  });

  test("is reported at the template if its manifest is unknown", async () => {
    const context = await contextOf({ base, change: bumpManifest("served: true", "served: false") });
    const steps = context.steps.map((step) => {
      const version = parseVersion("9.9.9");
      return step.to === undefined || version === undefined ? step : { ...step, to: { ...step.to, version } };
    });
    expect(said(dependencyRemoved, { ...context, steps })).toEqual([lost(`${FAST}:11 error`, "sample 9.9.9")]);
  });

  test("may be lost where a manifest is unknown", async () => {
    expect(await removed(BUMP, { ...base, [manifestPath("1.1.0")]: undefined })).toEqual([
      mentions("not run", "sample 1.1.0", "unknown"),
    ]);
    expect(await removed({ ...BUMP, [MANIFEST]: undefined }, base)).toEqual([lost("not run")]);
  });
});

test("what a module requires is unknown if its module.yaml cannot be read", async () => {
  const broken = { ...otherRequiring(SAMPLES), "modules/other/module.yaml": "format: [" };
  const unknown = "not run: modules/other/module.yaml cannot be read";

  expect(await removed(bumpManifest("served: true", "served: false"), broken)).toEqual([unknown]);
  expect(
    await served({ "channels/fast/other.yaml": templateText("fast", "1.1.0").replaceAll("sample", "other") }, broken),
  ).toEqual([unknown]);
});
