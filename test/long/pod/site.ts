import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "../../../src/systems/environment.ts";
import { execute } from "../../../src/systems/process.ts";
import { root } from "../../house/clone.ts";
import { quietRun } from "../../support/quietRun.ts";
import { run } from "../../cli/program.ts";
import { announcePush, HOOK_SECRET } from "../../cli/watching.ts";
import { startSingleNode } from "../../single-node/singleNode.ts";
import { filesOf, type Sample } from "../../sync/catalogueFiles.ts";
import { folderAt } from "../../systems/repository.ts";
import { certificateFor, startGitServer } from "./gitServer.ts";
import { CONTROLLER_IMAGE, writeControllerImage } from "./image.ts";

/** A node that runs pods, and a Git server for them. */
export interface Site {
  /** Of the administrator of the node. */
  readonly kubeconfig: string;
  /** The address of this machine for pods. */
  readonly hostAddress: string;
  /** Creates a namespace with the Secrets for Git and for the webhook, and a repository on the Git server. */
  readonly host: (name: string, landscape: object) => Promise<Host>;
  readonly close: () => Promise<void>;
}

/** A namespace with a controller, and the repository of one landscape that it follows. */
export interface Host {
  /** Commits a catalogue. */
  readonly commit: (sample: Sample) => void;
  /** The output of `install` for the landscape, with these options. */
  readonly install: (...args: readonly string[]) => Promise<string>;
  /** Runs kubectl in the namespace. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  /** Waits until every pod is ready according to its probes. */
  readonly rolledOut: () => Promise<void>;
  /** Announces a push to every pod. */
  readonly announcePush: () => Promise<void>;
}

/** Opens a site in `folder`, or returns why this machine cannot have one. */
export async function openSite(folder: string): Promise<Site | { readonly skipped: string }> {
  for (const program of ["kubectl", "openssl"])
    if ((await findOnPath(program, process.env)) === undefined)
      return { skipped: `there is no ${program} on the PATH` };
  const node = await startSingleNode("site");
  if ("skipped" in node) return node;
  const { kubeconfigPath: kubeconfig, hostAddress } = node;
  const certificate = certificateFor(hostAddress, join(folder, "certificate"));
  const image = await writeControllerImage(folder, certificate.cert);
  if (typeof image !== "string") {
    await node.stop();
    return image;
  }
  await node.loadImage(image);
  const [repositories, token] = [join(folder, "repositories"), randomBytes(16).toString("hex")];
  const git = await startGitServer({ ...certificate, repositories, token }, hostAddress);
  return {
    kubeconfig,
    hostAddress,
    host: async (name, landscape) => {
      await kubectl(kubeconfig, ["create", "namespace", name]);
      const secrets = { catalogue: `token=${token}`, webhook: `secret=${HOOK_SECRET}` };
      for (const [secret, literal] of Object.entries(secrets))
        await kubectl(kubeconfig, ["create", "secret", "generic", "-n", name, secret, `--from-literal=${literal}`]);
      const ask: Host["kubectl"] = (...args) => kubectl(kubeconfig, ["-n", name, ...args]);
      const url = `https://${hostAddress}:${git.port}/${name}`;
      return { ...catalogueOf(join(repositories, name), { url, namespace: name, landscape }), ...podsOf(ask) };
    },
    close: () => {
      git.stop();
      return node.stop();
    },
  };
}

/** The address of a repository, and the controller that follows it. */
interface Served {
  readonly url: string;
  readonly namespace: string;
  readonly landscape: object;
}

function catalogueOf(path: string, { url, namespace, landscape }: Served): Pick<Host, "commit" | "install"> {
  mkdirSync(path, { recursive: true });
  const repository = folderAt(path);
  repository.git("init", "--quiet", "--initial-branch=main", "--template=");
  const landscapes = [{ name: "dev", lifecycleManager: "version-templates", ...landscape }];
  const pod = ["--image", CONTROLLER_IMAGE, "--git", url, "--git-secret", "catalogue", "--webhook-secret", "webhook"];
  return {
    commit: (sample) => {
      const files = filesOf({ ...sample, settings: { landscapes, forge: { kind: "none" } } });
      repository.write(Object.fromEntries(files));
      repository.commit();
    },
    install: async (...args) => {
      const about = ["install", "dev", "--repo", path, "--namespace", namespace];
      const { code, stdout, stderr } = await run([...about, ...pod, ...args]);
      if (code !== 0) throw new Error(stderr);
      return stdout;
    },
  };
}

function podsOf(ask: Host["kubectl"]): Pick<Host, "kubectl" | "rolledOut" | "announcePush"> {
  return {
    kubectl: ask,
    rolledOut: async () => {
      await ask("rollout", "status", "deployment/kyma-modules", "--timeout=100s");
    },
    announcePush: async () => {
      const addresses = await ask("get", "pods", "-o", "jsonpath={.items[*].status.podIP}");
      for (const address of addresses.split(" ")) {
        const status = await announcePush(`http://${address}:8080`);
        if (status !== 202) throw new Error(`the controller at ${address} answered ${status}`);
      }
    },
  };
}

/** Runs kubectl and returns its output. Asynchronous, so that servers of this process can answer meanwhile. */
export async function kubectl(kubeconfig: string, args: readonly string[], input = ""): Promise<string> {
  const command = { program: "kubectl", args: ["--kubeconfig", kubeconfig, ...args], cwd: root, input };
  return (await execute({ ...command, fault: "PROCESS_FAILED" }, quietRun())).stdout.toString();
}
