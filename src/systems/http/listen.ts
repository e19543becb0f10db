import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault, type Run } from "../../ports.ts";
import { problemText } from "../errno.ts";

/** The address of a server. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A listening server. */
export interface ListeningServer {
  /** `http://host:port`. */
  readonly address: string;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/** Makes a server listen. Throws CONFIGURATION, with `remedy` at the end, if the address is not free. */
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
  // An error while accepting one connection must not end the others.
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
