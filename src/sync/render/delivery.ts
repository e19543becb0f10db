import type { Landscape } from "../../catalogue/settings.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { PrintedManifest } from "../install/manifest.ts";
import { FOLDERS } from "./folders.ts";

/** The repository from which Argo CD and Flux read rendered objects. */
export interface RenderedSource {
  /** The repository, by https or ssh. */
  readonly url: string;
  readonly branch: string;
  /** The folder in the repository, without slashes at its ends; empty: the root. */
  readonly folder: string;
}

/** The target cluster of Argo CD: the one in which it runs, or another one by its name there. */
export type ArgoCluster = "in-cluster" | { readonly name: string };

type RenderedLandscape = Pick<Landscape, "name" | "namespace">;

/** The Argo CD Application of a landscape. Source: argo-cd, docs/operator-manual/application.yaml. */
export function argoApplication(
  landscape: RenderedLandscape,
  { url, branch, folder }: RenderedSource,
  cluster: ArgoCluster,
): PrintedManifest {
  const place = cluster === "in-cluster" ? { server: "https://kubernetes.default.svc" } : { name: cluster.name };
  return {
    purpose: "Argo CD applies the templates (wave -1), then the release metas (wave 0), and deletes nothing.",
    object: {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Application",
      metadata: { name: renderedLandscapeName(landscape), namespace: "argocd" },
      spec: {
        project: "default",
        source: {
          repoURL: url,
          targetRevision: branch,
          path: below(folder, FOLDERS.all),
          directory: { recurse: true },
        },
        destination: { ...place, namespace: landscape.namespace },
        syncPolicy: {
          automated: { prune: false, selfHeal: true },
          syncOptions: ["ServerSideApply=true", "Prune=false", "FailOnSharedResource=true"],
        },
      },
    },
  };
}

/** The Secrets of Flux. */
interface FluxSecrets {
  /** For Git; `undefined`: the repository is public. */
  readonly git: string | undefined;
  /** With the kubeconfig of the control plane; `undefined`: Flux runs in it. */
  readonly kubeconfig: string | undefined;
}

/**
 * The Flux objects of a landscape. In a single Kustomization, Flux would apply release metas before templates. A
 * Kustomization that depends on another one of the same source waits until that one has applied the same commit.
 * Source: kustomize-controller, docs/spec/v1/kustomizations.md and checkDependencies.
 */
export function fluxObjects(
  landscape: RenderedLandscape,
  { url, branch, folder }: RenderedSource,
  { git, kubeconfig }: FluxSecrets,
): readonly PrintedManifest[] {
  const name = renderedLandscapeName(landscape);
  const kustomization = (part: string, path: string, more: object): KubernetesObject => ({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: part, namespace: FLUX_NAMESPACE },
    spec: {
      interval: "10m",
      retryInterval: "1m",
      timeout: "5m",
      sourceRef: { kind: "GitRepository", name },
      path: `./${below(folder, path)}`,
      prune: false,
      wait: true,
      ...more,
      ...(kubeconfig !== undefined && { kubeConfig: { secretRef: { name: kubeconfig } } }),
    },
  });
  const repository: KubernetesObject = {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name, namespace: FLUX_NAMESPACE },
    spec: { interval: "1m", url, ref: { branch }, ...(git !== undefined && { secretRef: { name: git } }) },
  };
  const templates = `${name}-templates`;
  const dependsOn = [{ name: templates }];
  return [
    { purpose: "The repository from which Flux reads the rendered objects.", object: repository },
    {
      purpose: "Flux applies the templates first, and deletes none.",
      object: kustomization(templates, FOLDERS.templates, {}),
    },
    {
      purpose: "Flux applies the release metas once the templates of the same commit are there, and deletes none.",
      object: kustomization(`${name}-release-metas`, FOLDERS.releaseMetas, { dependsOn }),
    },
  ];
}

const FLUX_NAMESPACE = "flux-system";

function renderedLandscapeName({ name }: RenderedLandscape): string {
  return `kyma-modules-${name}`;
}

function below(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}
