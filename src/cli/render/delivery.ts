import type { Landscape } from "../../catalogue/settings.ts";
import { Fault } from "../../ports.ts";
import { parseGitAddress } from "../../sync/install/git.ts";
import type { PrintedManifest } from "../../sync/install/manifest.ts";
import { argoApplication, fluxObjects, type ArgoCluster, type RenderedSource } from "../../sync/render/delivery.ts";

/** The arguments about Argo CD and Flux. */
export interface DeliveryArguments {
  readonly argoCd: boolean;
  readonly flux: boolean;
  readonly git?: string | undefined;
  readonly branch: string;
  readonly path?: string | undefined;
  readonly cluster?: string | undefined;
  readonly gitSecret?: string | undefined;
  readonly kubeconfigSecret?: string | undefined;
}

/** A file with objects for Argo CD or Flux. It is outside of the folder that they read. */
export interface DeliveryFile {
  readonly path: string;
  readonly manifests: readonly PrintedManifest[];
}

/** The requested files for Argo CD and Flux. Throws CONFIGURATION. */
export function deliveryFiles(landscape: Landscape, arguments_: DeliveryArguments): readonly DeliveryFile[] {
  const { argoCd, flux, gitSecret: git, kubeconfigSecret: kubeconfig } = arguments_;
  if (!argoCd && !flux) return [];
  const source = renderedSource(landscape, arguments_);
  return [
    ...(argoCd
      ? [{ path: "argo-cd.yaml", manifests: [argoApplication(landscape, source, argoCluster(landscape, arguments_))] }]
      : []),
    ...(flux ? [{ path: "flux.yaml", manifests: fluxObjects(landscape, source, { git, kubeconfig }) }] : []),
  ];
}

function renderedSource(
  { name }: Landscape,
  { git: url, branch, path = name, flux }: DeliveryArguments,
): RenderedSource {
  if (url === undefined)
    throw new Fault("CONFIGURATION", "--argo-cd and --flux need the repository of the rendered files: --git URL.");
  const address = parseGitAddress(url);
  if (address === undefined || (flux && !URL.canParse(url)))
    throw new Fault(
      "CONFIGURATION",
      "--git must be an address by https or ssh, such as https://github.com/ORG/NAME or ssh://git@github.com/ORG/NAME.",
    );
  if (address.hasCredentials)
    throw new Fault(
      "CONFIGURATION",
      "--git contains credentials, which everyone could read. Configure them in Argo CD, or in a Secret for Flux: --git-secret NAME.",
    );
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new Fault("CONFIGURATION", "--path must be a folder of the repository.");
  return { url, branch, folder: parts.join("/") };
}

function argoCluster({ controlPlane }: Landscape, { cluster }: DeliveryArguments): ArgoCluster {
  if (cluster !== undefined) return { name: cluster };
  if ("inCluster" in controlPlane) return "in-cluster";
  if ("context" in controlPlane) return { name: controlPlane.context };
  throw new Fault(
    "CONFIGURATION",
    "kyma-modules.yaml names no context. Give the name of the cluster in Argo CD: --cluster NAME.",
  );
}
