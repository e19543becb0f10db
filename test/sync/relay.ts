import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A fixed address in front of an API server that comes and goes. */
export interface Relay {
  readonly port: number;
  /** Connects to this port from now on; `undefined` drops every connection, and answers none. */
  readonly to: (port: number | undefined) => void;
}

/** Starts a relay; it ends with the test. */
export async function startRelay(): Promise<Relay> {
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
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
