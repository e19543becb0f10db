import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { Agent, get } from "node:https";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { diskFull, folderFault, makeFolder, saysDiskFull } from "../files/folder.ts";
import { type Ended, endedFault, type Guarded, startGuard } from "./guarded.ts";
import { prepareKeys, servingCertificate } from "./keys.ts";
import { type KubeconfigCluster, writeKubeconfig } from "./kubeconfig.ts";
import { claim } from "../files/lock.ts";
import { pause } from "../pause.ts";
import { controlPlanePrograms } from "./programs.ts";
import type { Binaries } from "./releases.ts";
import { type Incident, type Readiness, supervise } from "./supervise.ts";

/** A running etcd + kube-apiserver on 127.0.0.1. */
export interface EmbeddedControlPlane extends KubeconfigCluster {
  /** Path of the administrator's kubeconfig. `stop` removes it, unless the data is kept. */
  readonly kubeconfig: string;
  /** Ends both processes and removes the temporary folder. May be called again. */
  stop(): Promise<void>;
}

/** Options of a control plane. */
export interface EmbeddedOptions {
  /** Names the context of the kubeconfig, and the temporary folder. */
  readonly name: string;
  /** A folder that is kept between runs; by default a temporary one, which is removed at the end. */
  readonly dataDir?: string;
  readonly binaries: Binaries;
  /**
   * Called when a program ends by itself while the control plane runs, and for the result; by default incidents are
   * logged.
   */
  readonly onIncident?: (incident: Incident) => void;
}

const START_DEADLINE_MS = 60_000;
const PORT_ATTEMPTS = 5;

/**
 * Starts a control plane and resolves when it is ready, after about three seconds. Restarts a process that is killed.
 * All processes end with this one, even if it is killed. Throws PROCESS_FAILED with the end of the log, DISK_FULL,
 * FILE_UNREADABLE, CONFIGURATION when another process uses `dataDir`, and the abort reason of `run.signal`.
 */
export async function startControlPlane(wanted: EmbeddedOptions, run: Run): Promise<EmbeddedControlPlane> {
  const { dataDir } = wanted;
  const options = dataDir === undefined ? wanted : { ...wanted, dataDir: resolve(dataDir) };
  for (let attempt = 1; ; attempt += 1) {
    const started = await tryToStart(options, run);
    if ("stop" in started) return started;
    const mayRetry = attempt < PORT_ATTEMPTS && started.tail.includes("address already in use");
    if (mayRetry) continue;
    throw saysDiskFull(started.tail)
      ? diskFull(options.dataDir ?? tmpdir(), new Error(started.tail))
      : endedFault(started);
  }
}

/** A control plane, or the program that ended instead of serving. */
async function tryToStart(options: EmbeddedOptions, run: Run): Promise<EmbeddedControlPlane | Ended> {
  run.signal.throwIfAborted();
  const folder = await folderFor(options, run);
  // Before anything else, so that the folder is removed even if this process is killed now.
  const { dataDir } = options;
  const guarded = startGuard(dataDir === undefined ? { temporaryFolder: folder } : { lock: lockOf(dataDir) }, {});
  let isServing = false;
  try {
    const started = await startIn(folder, guarded, options, run);
    isServing = "stop" in started;
    return started;
  } catch (error) {
    throw folderFault(error, folder);
  } finally {
    if (!isServing) await guarded.stop();
  }
}

async function folderFor({ name, dataDir }: EmbeddedOptions, run: Run): Promise<string> {
  const prefix = resolve(tmpdir(), `kyma-modules-${name.replaceAll(/[^\w.-]/g, "-")}-`);
  try {
    if (dataDir === undefined) return await mkdtemp(prefix);
    await makeFolder(dataDir);
  } catch (error) {
    throw folderFault(error, dataDir ?? tmpdir());
  }
  await claim(
    lockOf(dataDir),
    () => {
      const remedy = "stop it, or name another folder";
      throw new Fault("CONFIGURATION", `another control plane already uses ${dataDir}: ${remedy}`);
    },
    run,
  );
  return dataDir;
}

const lockOf = (dataDir: string): string => join(dataDir, "lock");

async function startIn(
  folder: string,
  guarded: Guarded,
  options: EmbeddedOptions,
  run: Run,
): Promise<EmbeddedControlPlane | Ended> {
  const token = await prepareKeys(folder, Date.now());
  const [port = 0] = await freePorts(1);
  const server = `https://127.0.0.1:${port}`;
  const { name, binaries, dataDir, onIncident = logTo(run, server) } = options;
  const programs = controlPlanePrograms({ binaries, folder, port, isKept: dataDir !== undefined });
  guarded.start(programs);
  const untilReady = (ended: Promise<unknown>, signal: AbortSignal): Promise<Readiness> =>
    readiness({ server, folder, token }, ended, { ...run, signal });
  const ready = await untilReady(guarded.ended, run.signal);
  run.signal.throwIfAborted();
  if (ready === "ended") return guarded.ended;
  if (ready === "late") {
    const tail = await readFile(join(folder, "kube-apiserver.log"), "utf8");
    const outcome = `was not ready after ${START_DEADLINE_MS / 1_000} s`;
    return { name: "kube-apiserver", ok: false, outcome, tail };
  }
  const cluster = { name, server, token, certificateAuthority: await servingCertificate(folder, run) };
  const kubeconfig = join(folder, "kubeconfig");
  await writeKubeconfig(kubeconfig, [cluster]);
  const stopping = new AbortController();
  const stopped = stopping.signal;
  void supervise({ guarded, programs, untilReady: (ended) => untilReady(ended, stopped), onIncident, stopped });
  const stop = (): Promise<void> => {
    stopping.abort();
    return guarded.stop();
  };
  return { ...cluster, kubeconfig, stop };
}

/** A control plane that may not be ready yet. */
interface StartingServer {
  readonly server: string;
  readonly folder: string;
  readonly token: string;
}

/** Waits until the server is ready, the start deadline passes, or `ended` settles. */
async function readiness(candidate: StartingServer, ended: Promise<unknown>, run: Run): Promise<Readiness> {
  const enough = new AbortController();
  const signal = AbortSignal.any([run.signal, enough.signal, AbortSignal.timeout(START_DEADLINE_MS)]);
  const ready = untilReady(candidate, { ...run, signal }).then(
    () => "ready" as const,
    (error: unknown) => {
      if (!signal.aborted) throw error;
      return "late" as const;
    },
  );
  const outcome = await Promise.race([ended.then(() => "ended" as const), ready]);
  enough.abort();
  return outcome;
}

function logTo({ log }: Run, server: string): (incident: Incident) => void {
  return (incident) => {
    if (incident.kind === "lost") log.warn("the control plane ended", { server, because: incident.fault.message });
    else log.warn("a part of the control plane ended and is started again", { server, ...incident });
  };
}

/**
 * Finds `count` different ports of 127.0.0.1 that are free now. Another process may take one before it is used: callers
 * must retry with another port.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new TypeError("a TCP server has a port");
    return address.port;
  });
  await Promise.all(servers.map(close)); // only now, so that they differ
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}

const POLL_MS = 50;
const REQUEST_DEADLINE_MS = 5_000;

/** Resolves when the API server reports that it is ready. */
async function untilReady({ server, folder, token }: StartingServer, run: Run): Promise<void> {
  // Unlike the global agent, a new one ignores proxy variables.
  const agent = new Agent({ keepAlive: true, ca: await servingCertificate(folder, run) });
  try {
    while (!(await isReady(server, token, agent, run))) await pause(POLL_MS, run);
  } finally {
    agent.destroy();
  }
}

function isReady(server: string, token: string, agent: Agent, run: Run): Promise<boolean> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(REQUEST_DEADLINE_MS)]);
  return new Promise((resolve) => {
    const request = get(`${server}/readyz`, { agent, signal, headers: { authorization: `Bearer ${token}` } });
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    // Nothing listens yet, or another program does: either way it is not ready.
    request.once("error", () => {
      resolve(false);
    });
  });
}
