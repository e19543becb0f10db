import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { ControlPlane } from "../../src/ports.ts";
import { type ClusterLimits, openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { readKubeconfig } from "../systems/embedded/apiClient.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";
import type { OutsideAccess } from "./outside.ts";

/** A fixed address in front of an API server that restarts. */
export interface Relay {
  readonly port: number;
  /** Connects to this port from now on; `undefined` drops every connection. */
  readonly to: (port: number | undefined) => void;
}

/** Starts a relay at an address of this machine; it ends with the test. */
export async function startRelay(address = "127.0.0.1"): Promise<Relay> {
  let target: number | undefined;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(target, "127.0.0.1");
    keep(upstream);
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => {
    dropAll();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    to: (port) => {
      target = port;
      if (port === undefined) dropAll();
    },
  };
}

/** A relay to an API server, and this project's client through the relay. */
export interface RelayedControlPlane {
  readonly controlPlane: ControlPlane;
  /** Path of a kubeconfig that leads through the relay. */
  readonly kubeconfig: string;
  /** Breaks every connection, and accepts new ones. */
  readonly cut: () => void;
  /** Breaks every connection, and accepts no new ones until `restore` is called. */
  readonly sever: () => void;
  readonly restore: () => void;
}

/** Starts a relay to the API server that `access` leads to; it ends with the test. */
export async function relayed(
  { server, token, ...outside }: OutsideAccess,
  limits?: ClusterLimits,
): Promise<RelayedControlPlane> {
  const relay = await startRelay();
  const cluster = {
    server: `https://127.0.0.1:${relay.port}`,
    "certificate-authority-data": Buffer.from(readKubeconfig(outside.kubeconfig).ca).toString("base64"),
  };
  const sever = (): void => {
    relay.to(undefined);
  };
  const restore = (): void => {
    relay.to(Number(new URL(server).port));
  };
  restore();
  const kubeconfig = kubeconfigFile(cluster, { token });
  const access = await openAccess({ kubeconfig }, limits);
  const cut = (): void => {
    sever();
    restore();
  };
  return { controlPlane: controlPlane(access), kubeconfig, cut, sever, restore };
}
