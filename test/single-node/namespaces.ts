import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** How a node and this machine reach each other. */
export interface Network {
  /** The interface of this machine, and the cgroup of the pods. */
  readonly name: string;
  /** This machine, as the node and its pods reach it. */
  readonly hostAddress: string;
  readonly nodeAddress: string;
  /** The addresses of pods. */
  readonly pods: string;
}

/** Namespaces in which the processes of a node run. */
export interface Namespaces {
  /** Their first process. They end with it. */
  readonly pid: number;
  readonly network: Network;
}

/** What `unshare` separates from this machine. */
export const NAMESPACES: readonly string[] = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
/** The file in the folder of a node that describes its namespaces, once they are ready. */
export const NAMESPACES_FILE = "namespaces.json";

const MOST_NODES = 16;
const POLL_MS = 20;

/** Kubelet sets these kernel settings. Files with its values cover them, so that the machine keeps its own. */
const KERNEL_SETTINGS = {
  "vm/overcommit_memory": 1,
  "vm/panic_on_oom": 0,
  "kernel/panic": 10,
  "kernel/panic_on_oops": 1,
};

/** The command that runs another one in the namespaces, in a folder. */
export function inside({ pid }: Pick<Namespaces, "pid">, folder: string): readonly string[] {
  return ["nsenter", `--target=${pid}`, "--net", "--mount", "--pid", `--wdns=${folder}`, "--"];
}

/** Opens namespaces. They end with this process, however it ends. */
export async function openNamespaces(): Promise<{ readonly pid: number; readonly holder: ChildProcess }> {
  const holder = spawn("setpriv", ["--pdeathsig", "KILL", "unshare", ...NAMESPACES, "sleep", "infinity"], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const children = `/proc/${String(holder.pid)}/task/${String(holder.pid)}/children`;
  while (holder.exitCode === null) {
    const pid = Number.parseInt(readFileSync(children, "utf8"));
    // When it has become the last program of the line, everything is set up.
    if (pid > 0 && readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n") return { pid, holder };
    await delay(POLL_MS);
  }
  throw new Error("unshare could not make namespaces");
}

/**
 * Connects namespaces with this machine. One node at a time has the interface of a number, so that there may be
 * several.
 */
export function connect(pid: number): Network {
  for (let number = 0; number < MOST_NODES; number += 1) {
    const name = `kyma-node-${number}`;
    const [hostAddress, nodeAddress] = [`10.200.${number}.254`, `10.200.${number}.1`];
    const pods = `10.244.${number}.0/24`;
    if (!addInterface(name, pid)) continue;
    ip(`address add ${hostAddress}/24 dev ${name}`);
    ip(`link set ${name} up`);
    const within = inside({ pid }, "/");
    ip("link set lo up", within);
    ip(`address add ${nodeAddress}/24 dev eth0`, within);
    ip("link set eth0 up", within);
    ip(`route add default via ${hostAddress}`, within);
    // So that this machine reaches pods, and answers them. The route goes with the interface.
    ip(`route add ${pods} via ${nodeAddress}`);
    return { name, hostAddress, nodeAddress, pods };
  }
  throw new Error(`${MOST_NODES} nodes run on this machine already`);
}

/** Whether no other interface has this name. */
function addInterface(name: string, pid: number): boolean {
  try {
    ip(`link add ${name} type veth peer name eth0 netns ${pid}`);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("File exists")) return false;
    throw error;
  }
}

function ip(command: string, within: readonly string[] = []): void {
  execute([...within, "ip", ...command.split(" ")]);
}

/** Covers every place outside of `folder` that a node writes to. */
export function coverPlaces(pid: number, folder: string): void {
  const mount = (...args: readonly string[]): void => {
    execute([...inside({ pid }, "/"), "mount", ...args]);
  };
  mount("--make-rshared", "/");
  mount("-t", "tmpfs", "tmpfs", "/run");
  mount("-t", "tmpfs", "tmpfs", "/var/lib");
  for (const [name, place] of [
    ["kubelet", "/var/lib/kubelet"],
    ["log", "/var/log"],
  ] as const) {
    mkdirSync(join(folder, name));
    mount("--mkdir", "--bind", join(folder, name), place);
  }
  for (const [name, value] of Object.entries(KERNEL_SETTINGS)) {
    const file = join(folder, name.replace("/", "."));
    writeFileSync(file, `${value}\n`);
    mount("--bind", file, `/proc/sys/${name}`);
  }
}

function execute([program = "", ...args]: readonly string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
}
