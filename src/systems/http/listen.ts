import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault, type Run } from "../../ports.ts";
import { problemText } from "../errno.ts";

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** A server that listens. */
export interface ListeningServer {
  /** `http://host:port`. */
  readonly address: string;
  /** Stops listening, and cuts off whoever is connected. */
  close(): Promise<void>;
}

/** Makes a server listen. Throws CONFIGURATION, which ends with `remedy`, for an address that is not free. */
export async function listen(
  server: Server,
  { host, port }: ListenAddress,
  remedy: string,
  run: Run,
): Promise<ListeningServer> {
  try {
    server.listen(port, host);
    await once(server, "listening", { signal: run.signal });
  } catch (cause) {
    server.close();
    run.signal.throwIfAborted();
    const problem = `The server cannot listen on ${host}:${port}: ${problemText(cause)}.`;
    throw new Fault("CONFIGURATION", `${problem} ${remedy}`, { cause });
  }
  // A connection that cannot be accepted does not end the others.
  server.on("error", (error) => {
    run.log.warn("the server cannot accept a connection", { problem: problemText(error) });
  });
  const bound = server.address() as AddressInfo;
  return {
    address: `http://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
