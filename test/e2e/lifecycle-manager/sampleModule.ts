import { descriptorOf, type ModuleComponent } from "../../support/ociFixture.ts";
import type { TemplateSpec } from "../../sync/catalogueFiles.ts";

/** The progress deadline of the Deployments of these modules. Seconds. */
export const PROGRESS_DEADLINE_S = 15;

/** The manifest of a version of a sample module: the definition of its custom resource, and its manager. */
export function componentOf(module: string, version: string): ModuleComponent {
  return { name: `example.com/module/${module}`, version, rawManifest: rawManifest(module, version) };
}

/** The template of a version in the registry at `host`. */
export function templateSpec(module: string, version: string, host: string): TemplateSpec {
  return {
    version,
    descriptor: descriptorOf(componentOf(module, version), host),
    data: {
      apiVersion: `${module}.example.com/v1`,
      kind: "Sample",
      metadata: { name: "default", namespace: "kyma-system" },
      spec: { size: 1 },
    },
    resources: [],
  };
}

/** The address of the manager of a module on a cluster. */
export function managerPath(module: string): string {
  return `/apis/apps/v1/namespaces/kyma-system/deployments/${module}-manager`;
}

/** The address of the default custom resource of a module on a cluster. */
export function customResourcePath(module: string): string {
  return `/apis/${module}.example.com/v1/namespaces/kyma-system/samples/default`;
}

function rawManifest(module: string, version: string): string {
  return [definition(module), manager(module, version)].map((object) => JSON.stringify(object)).join("\n---\n");
}

function definition(module: string): object {
  const group = `${module}.example.com`;
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `samples.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Sample", plural: "samples", singular: "sample", listKind: "SampleList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

function manager(module: string, version: string): object {
  const labels = { app: `${module}-manager` };
  const containers = [{ name: "manager", image: `example.com/${module}-manager:${version}` }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: `${module}-manager`, namespace: "kyma-system" },
    spec: {
      replicas: 1,
      progressDeadlineSeconds: PROGRESS_DEADLINE_S,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}
