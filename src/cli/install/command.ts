import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type Run, type Source } from "../../ports.ts";
import { parseGitAddress } from "../../sync/install/git.ts";
import { hostManifests, reachProblem, type Host } from "../../sync/install/host.ts";
import type { PrintedManifest } from "../../sync/install/manifest.ts";
import type { ControllerPod } from "../../sync/install/pod.ts";
import { targetManifests, type Account } from "../../sync/install/target.ts";
import { listText, yamlText } from "../manifests.ts";
import { loadCatalogue } from "../loadCatalogue.ts";
import { chosenLandscapes } from "../sync/landscapes.ts";
import { EXIT, type Output } from "../terminal/output.ts";

interface InstallArguments {
  /** Empty for all. */
  readonly landscapes: readonly string[];
  /** `undefined` for both. */
  readonly part?: "host" | "target" | undefined;
  readonly oneShot: boolean;
  readonly reader: boolean;
  readonly kymas: boolean;
  readonly namespace: string;
  readonly image: string;
  readonly git?: string | undefined;
  readonly branch?: string | undefined;
  readonly gitSecret?: string | undefined;
  readonly gitApp: boolean;
  readonly kubeconfigSecret?: string | undefined;
  readonly inCluster: boolean;
  readonly publish: boolean;
  readonly webhookSecret?: string | undefined;
  readonly serviceMonitor: boolean;
}

/** `kyma-modules install`: prints manifests, those of the control planes first. Returns the exit code. */
export async function installCommand(
  arguments_: InstallArguments,
  source: Source,
  output: Output,
  run: Run,
): Promise<number> {
  refuseInvalid(arguments_);
  const catalogue = await loadCatalogue(source, output, run);
  if (catalogue === undefined) return EXIT.findings;
  const { reader, oneShot } = arguments_;
  const actor: Account = reader ? "reader" : oneShot ? "one-shot" : "controller";
  const landscapes = landscapesFor(actor, arguments_, catalogue);
  const { part = actor === "controller" ? undefined : "target" } = arguments_;
  const manifests = [
    ...(part === "host" ? [] : printedTargets(landscapes, actor, arguments_)),
    ...(part === "target" ? [] : hostManifests(installHost(landscapes, arguments_))),
  ];
  output.report({ text: () => yamlText(manifests), json: () => listText(manifests) });
  return EXIT.fine;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const WORD = /^[^\s-]\S*$/;

/** The options that are names, with their patterns. An API server or the pod would refuse anything else. */
const NAMES = [
  ["--namespace", "namespace", LABEL, "a namespace"],
  ["--git-secret", "gitSecret", SUBDOMAIN, "a Secret"],
  ["--kubeconfig-secret", "kubeconfigSecret", SUBDOMAIN, "a Secret"],
  ["--webhook-secret", "webhookSecret", SUBDOMAIN, "a Secret"],
  ["--image", "image", WORD, "an image"],
  ["--branch", "branch", WORD, "a branch"],
] as const;

/** Throws CONFIGURATION for arguments that could not be applied, or would have no effect. */
function refuseInvalid(arguments_: InstallArguments): void {
  for (const [flag, key, pattern, what] of NAMES) {
    const value = arguments_[key];
    if (value !== undefined && !pattern.test(value))
      throw new Fault("CONFIGURATION", `${flag} "${value}" cannot be the name of ${what}.`);
  }
  if (arguments_.kymas && !arguments_.reader)
    throw new Fault("CONFIGURATION", "--kymas adds to the permissions of --reader: give both, or neither.");
}

/** The landscapes, in roll-out order. By default, --reader gets those that another landscape waits for. */
function landscapesFor(
  actor: Account,
  { landscapes: names, inCluster }: InstallArguments,
  catalogue: Catalogue,
): readonly Landscape[] {
  const all = chosenLandscapes(catalogue.settings, []);
  const awaited = new Set<string | undefined>(all.map(({ after }) => after?.landscape));
  const isAll = names.length === 0 && actor === "reader";
  const wanted = chosenLandscapes(catalogue.settings, names).filter(({ name }) => !isAll || awaited.has(name));
  if (wanted.length === 0)
    throw new Fault(
      "CONFIGURATION",
      "No landscape of kyma-modules.yaml waits for another. Name the landscape to read from.",
    );
  if (inCluster && wanted.length > 1)
    throw new Fault(
      "CONFIGURATION",
      `--in-cluster is for one landscape, but there are ${wanted.length}: ${wanted.map(({ name }) => name).join(", ")}. Name one of them.`,
    );
  return wanted;
}

function printedTargets(
  landscapes: readonly Landscape[],
  actor: Account,
  { inCluster, kymas, namespace }: InstallArguments,
): readonly PrintedManifest[] {
  const accountNamespace = inCluster && actor === "controller" ? namespace : undefined;
  return landscapes.flatMap((landscape) => targetManifests({ landscape, actor, kymas, accountNamespace }));
}

/** The arguments of the host part. Throws CONFIGURATION if the pod could not work with them. */
function installHost(landscapes: readonly Landscape[], arguments_: InstallArguments): Host {
  const { namespace, inCluster, image, publish, webhookSecret, serviceMonitor } = arguments_;
  const git = installGit(arguments_);
  if (publish && git.secret === undefined)
    throw new Fault("CONFIGURATION", "--publish pushes to the repository, which needs credentials: --git-secret NAME.");
  const problem = landscapes.map((landscape) => reachProblem(landscape, inCluster)).find((one) => one !== undefined);
  if (problem !== undefined) throw new Fault("CONFIGURATION", problem);
  const { kubeconfigSecret = inCluster ? undefined : "kyma-modules-kubeconfig" } = arguments_;
  // Without names, the controller also keeps landscapes that kyma-modules.yaml gets later. --in-cluster has one
  // landscape.
  const isAll = arguments_.landscapes.length === 0 && !inCluster;
  const names = isAll ? [] : landscapes.map(({ name }) => name);
  const pod = { image, landscapes: names, git, publish, kubeconfigSecret, inCluster, webhookSecret };
  return { namespace, pod, serviceMonitor };
}

function installGit({ git: url, gitSecret: secret, gitApp: isApp, branch }: InstallArguments): ControllerPod["git"] {
  if (url === undefined)
    throw new Fault(
      "CONFIGURATION",
      "The host part needs the repository to follow: --git URL. Or print only the target part: --part target.",
    );
  const address = parseGitAddress(url);
  if (address === undefined)
    throw new Fault("CONFIGURATION", "--git must be an address by https or ssh, such as https://github.com/ORG/NAME.");
  if (address.hasCredentials)
    throw new Fault(
      "CONFIGURATION",
      "--git contains credentials, which everyone could read in the Deployment. Put them into a Secret: --git-secret NAME.",
    );
  if (address.transport === "ssh" && secret === undefined)
    throw new Fault(
      "CONFIGURATION",
      "ssh needs a Secret with the keys ssh-privatekey and known_hosts: --git-secret NAME.",
    );
  if (isApp && (address.transport !== "https" || secret === undefined))
    throw new Fault(
      "CONFIGURATION",
      "--git-app needs an https address, and a Secret with the keys app-id and private-key: --git-secret NAME.",
    );
  return { ...address, url, branch, secret, isApp };
}
