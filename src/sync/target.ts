import type { CompileTarget } from "../catalogue/compile.ts";
import type { Generation, Landscape } from "../catalogue/settings.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run } from "../ports.ts";
import { listAll } from "./observe.ts";

/** The compile target of a landscape. With `auto` in the settings, reads the Deployments of lifecycle-manager. */
export async function compileTarget(
  landscape: Landscape,
  controlPlane: ControlPlane,
  run: Run,
): Promise<CompileTarget> {
  const { name, namespace, lifecycleManager } = landscape;
  if (lifecycleManager !== "auto") return { landscape: name, namespace, generation: lifecycleManager };
  const deployments = await listAll(controlPlane, RESOURCES.deployment, namespace, run);
  const images = deployments.flatMap((deployment) => {
    const { template } = deployment["spec"] as DeploymentSpec;
    return (template?.spec?.containers ?? []).flatMap(({ image }) => (image === undefined ? [] : [image]));
  });
  const generation = servedGeneration(images);
  if (generation !== undefined) return { landscape: name, namespace, generation };
  throw new Fault(
    "CONFIGURATION",
    `The generation of lifecycle-manager for ${name} is unknown: namespace ${namespace} on ${controlPlane.server} has no Deployment of lifecycle-manager with a version in its image tag. ` +
      `Set lifecycleManager: version-templates (1.8 and later) or channel-templates (up to 1.7) for ${name} in kyma-modules.yaml.`,
  );
}

/** The generation of the first image of lifecycle-manager with a version in its tag. */
function servedGeneration(images: readonly string[]): Generation | undefined {
  for (const image of images) {
    const [, major, minor] = /(?:^|\/)lifecycle-manager:v?(\d+)\.(\d+)\.\d+/.exec(image) ?? [];
    if (major === undefined) continue;
    return Number(major) > 1 || Number(minor) >= 8 ? "version-templates" : "channel-templates";
  }
  return undefined;
}

interface DeploymentSpec {
  readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image?: string }[] } };
}
