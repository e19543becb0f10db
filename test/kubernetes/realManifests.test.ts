import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readManifest, type ManifestObject } from "../../src/kubernetes/manifest.ts";
import { apiLifecycle } from "../../src/kubernetes/deprecatedApis.ts";
import { objectImages } from "../../src/kubernetes/imagesInManifest.ts";
import { objectProblems } from "../../src/kubernetes/objectProblems.ts";
import { podSecurityLevel } from "../../src/kubernetes/podSecurity.ts";
import { manifestGrants } from "../../src/kubernetes/rbac.ts";
import { rightsText } from "../../src/kubernetes/rightsText.ts";
import { namedObject, workloadPodTemplate } from "../../src/kubernetes/workload.ts";
import { describeUnless } from "../support/describeUnless.ts";

const FOLDER = resolve(import.meta.dirname, "../../../shared/kyma-data/manifests");
const missing = existsSync(FOLDER) ? undefined : "there is no ../shared/kyma-data beside this repository";

describeUnless(missing, "the manifests of real modules", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yaml"));
  const objects = files.flatMap(
    (path): readonly ManifestObject[] => readManifest(path, true, readFileSync(join(FOLDER, path))).objects,
  );

  test("contain objects that Kubernetes accepts, and use no removed API", () => {
    expect(files.length).toBeGreaterThan(10);
    expect(
      objects.flatMap((object) => objectProblems(object).map(({ what }) => `${namedObject(object)}: ${what}`)),
    ).toEqual([]);
    expect(objects.filter(({ apiVersion, kind }) => apiLifecycle(apiVersion, kind) !== undefined)).toEqual([]);
  });

  test("run images with valid references, except for one placeholder", () => {
    const images = objects.flatMap(objectImages);
    expect(images.length).toBeGreaterThan(15);
    expect(images.filter(({ image }) => image === undefined).map(({ text }) => text)).toEqual(["<please/replace:me>"]);
  });

  test("run no privileged pods, and one restricted pod", () => {
    const levels = objects.flatMap((object) => {
      const pods = workloadPodTemplate(object);
      return pods === undefined ? [] : [[namedObject(object), podSecurityLevel(pods).level]];
    });
    expect(levels.filter(([, level]) => level === "restricted")).toEqual([
      ["Deployment default/skr-webhook", "restricted"],
    ]);
    expect(levels.filter(([, level]) => level === "privileged")).toEqual([]);
  });

  test("grant the rights that their roles list", () => {
    const grants = manifestGrants(
      readManifest("", true, readFileSync(join(FOLDER, "lifecycle-manager__btp-operator-manifest__1.20.4.yaml")))
        .objects,
    );
    expect(rightsText(grants)).toContain("* on secrets; * on serviceaccounts");
  });
});
