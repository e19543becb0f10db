import { createServer, type Server } from "node:net";
import { once } from "node:events";

/**
 * As many different ports of 127.0.0.1 as asked for, free at this moment. Somebody else may take one before the program
 * does that it was meant for: whoever starts that program must be ready to come back for another.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close)); // only now, so that they differ
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a TCP server has a port");
  return address.port;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}
