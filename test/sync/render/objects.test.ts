import { describe, expect, it } from "vitest";
import { compile, sealed } from "../../../src/catalogue/compile.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { argoApplication, fluxObjects } from "../../../src/sync/render/delivery.ts";
import { renderObjects, type RenderedObject } from "../../../src/sync/render/objects.ts";
import { annotated, OF_TEMPLATES, unmarked } from "../../../src/sync/render/marks.ts";
import { catalogueOf, type Sample } from "../catalogueFiles.ts";
import { marked } from "../planning.ts";
import { rendering, targetFor, type Given } from "./rendering.ts";

const SAMPLE: Sample = {
  channels: { fast: { istio: "1.1.0" }, regular: { istio: "1.0.0", keda: "1.0.0" }, must: { warden: "2.0.0" } },
  mandatory: ["must"],
};

function objects(sample: Sample, given: Given = {}): readonly RenderedObject[] {
  return renderObjects(rendering(sample, given), targetFor(given.generation));
}

const paths = (all: readonly RenderedObject[]): readonly string[] => all.map(({ path }) => path);

function named(all: readonly RenderedObject[], path: string): KubernetesObject {
  const found = all.find((one) => one.path === path);
  if (found === undefined) throw new Error(`no ${path} among ${paths(all).join(", ")}`);
  return found.object;
}

const META = "objects/release-metas/istio.yaml";

describe("rendered objects", () => {
  it("are templates, each once, then the release metas that name them", () => {
    expect(paths(objects(SAMPLE))).toEqual([
      ...["istio-1.0.0", "istio-1.1.0", "keda-1.0.0", "warden-2.0.0"].map((name) => `objects/templates/${name}.yaml`),
      ...["istio", "keda", "warden"].map((name) => `objects/release-metas/${name}.yaml`),
    ]);
  });

  it("are only templates if lifecycle-manager reads them by channel", () => {
    const all = objects(SAMPLE, { generation: "channel-templates" });

    expect(paths(all)).toEqual(
      ["istio-fast", "istio-regular", "keda-regular", "warden-must"].map((name) => `objects/templates/${name}.yaml`),
    );
  });

  it("have annotations that prevent their deletion by Argo CD and Flux, and their wave", () => {
    const all = objects(SAMPLE);
    const kept = {
      "argocd.argoproj.io/sync-options": "Prune=false,Delete=false,ServerSideApply=true",
      "kustomize.toolkit.fluxcd.io/prune": "disabled",
    };

    expect(named(all, "objects/templates/istio-1.0.0.yaml").metadata.annotations).toEqual({
      ...kept,
      "argocd.argoproj.io/compare-options": "IgnoreExtraneous",
      "argocd.argoproj.io/sync-wave": "-1",
    });
    expect(named(all, META).metadata.annotations).toEqual({ ...kept, "argocd.argoproj.io/sync-wave": "0" });
  });

  it("are not members of the set of a sync", () => {
    for (const { object } of objects(SAMPLE)) {
      expect(Object.keys(object.metadata.labels ?? {})).toEqual(["operator.kyma-project.io/module-name"]);
      expect(JSON.stringify(object)).not.toContain("kyma-modules/");
    }
  });

  it("can be turned back into the objects of a sync", () => {
    const target = targetFor();
    const [template] = compile(catalogueOf(SAMPLE), target).templates;
    const noted = template && sealed(marked(template, { annotations: { note: "n" } }), target);
    const annotations = { note: "n" };

    for (const one of [template, noted].filter((object) => object !== undefined))
      expect(unmarked(annotated(one, OF_TEMPLATES), target)).toEqual(one);
    expect(noted?.metadata.annotations).toMatchObject(annotations);
  });

  it("name kept versions beside the wanted ones", () => {
    const lowered = { ...SAMPLE, versions: { "istio/1.2.0": {} } };
    const all = objects(lowered, { before: { entries: { "fast/istio": "1.2.0" } } });

    expect(named(all, META)["spec"]).toMatchObject({
      moduleName: "istio",
      ocmComponentName: "example.com/module/istio",
      channels: [
        { channel: "fast", version: "1.2.0" },
        { channel: "regular", version: "1.0.0" },
      ],
    });
    expect(paths(all)).toContain("objects/templates/istio-1.2.0.yaml");
    expect(paths(all)).not.toContain("objects/templates/istio-1.1.0.yaml");
  });

  it("name the mandatory version", () => {
    expect(named(objects(SAMPLE), "objects/release-metas/warden.yaml")["spec"]).toMatchObject({
      mandatory: { version: "2.0.0" },
    });
  });

  it("do not include a module with a refusal, nor one that serves nothing", () => {
    const refused = objects(SAMPLE, { before: { entries: { "fast/istio": "1.9.0" } } });
    const hold = { version: "1.0.0", reason: "it leaks", by: "alice", since: "2026-05-01T00:00:00Z" };

    expect(paths(refused).filter((path) => path.includes("istio"))).toEqual([]);
    expect(objects({ channels: { fast: { istio: "1.0.0" } }, holds: { istio: [hold] } })).toEqual([]);
  });
});

const LANDSCAPE = { name: "prod", namespace: "kcp-system" } as Parameters<typeof argoApplication>[0];
const SOURCE = { url: "https://git.example.com/rendered", branch: "main", folder: "landscapes/prod" };

describe("the Application of Argo CD", () => {
  it("reads templates and release metas, and deletes nothing", () => {
    const { object } = argoApplication(LANDSCAPE, SOURCE, { name: "kcp-prod" });

    expect(object).toMatchObject({
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Application",
      metadata: { name: "kyma-modules-prod", namespace: "argocd" },
      spec: {
        source: {
          repoURL: SOURCE.url,
          targetRevision: "main",
          path: "landscapes/prod/objects",
          directory: { recurse: true },
        },
        destination: { name: "kcp-prod", namespace: "kcp-system" },
        syncPolicy: {
          automated: { prune: false, selfHeal: true },
          syncOptions: ["ServerSideApply=true", "Prune=false", "FailOnSharedResource=true"],
        },
      },
    });
    // The finalizer would delete everything together with the Application.
    expect(object.metadata).not.toHaveProperty("finalizers");
  });

  it("targets the cluster of Argo CD itself if that is the control plane", () => {
    expect(argoApplication(LANDSCAPE, { ...SOURCE, folder: "" }, "in-cluster").object["spec"]).toMatchObject({
      source: { path: "objects" },
      destination: { server: "https://kubernetes.default.svc" },
    });
  });
});

describe("the objects of Flux", () => {
  const specs = (secrets: Parameters<typeof fluxObjects>[2]): readonly unknown[] =>
    fluxObjects(LANDSCAPE, SOURCE, secrets).map(({ object }) => object["spec"]);

  it("apply release metas after the templates of the same source, and delete nothing", () => {
    const sourceRef = { kind: "GitRepository", name: "kyma-modules-prod" };

    expect(specs({ git: undefined, kubeconfig: undefined })).toEqual([
      { interval: "1m", url: SOURCE.url, ref: { branch: "main" } },
      expect.objectContaining({ sourceRef, path: "./landscapes/prod/objects/templates", prune: false, wait: true }),
      expect.objectContaining({
        sourceRef,
        path: "./landscapes/prod/objects/release-metas",
        prune: false,
        dependsOn: [{ name: "kyma-modules-prod-templates" }],
      }),
    ]);
  });

  it("use Secrets to read the repository and to reach the control plane", () => {
    const kubeConfig = { secretRef: { name: "kcp" } };

    expect(specs({ git: "token", kubeconfig: "kcp" })).toEqual([
      expect.objectContaining({ secretRef: { name: "token" } }),
      expect.objectContaining({ kubeConfig }),
      expect.objectContaining({ kubeConfig }),
    ]);
  });
});
