import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

/** A `.tar.gz` of programs that do nothing, laid out as the envtest archives are. */
export async function archiveOf(programs: readonly string[], content = "#!/bin/sh\n"): Promise<Buffer> {
  const entries = pack();
  entries.entry({ name: "controller-tools/envtest", type: "directory" });
  for (const name of programs) entries.entry({ name: `controller-tools/envtest/${name}`, mode: 0o755 }, content);
  entries.finalize();
  return buffer(entries.pipe(createGzip()));
}

/** SHA-512 in hexadecimal. */
export function sha512(bytes: Uint8Array): string {
  return createHash("sha512").update(bytes).digest("hex");
}

/** A server on 127.0.0.1 that runs until `close`. */
export interface LocalServer {
  readonly url: string;
  /** The addresses that were asked for. */
  readonly requests: readonly string[];
  readonly server: Server;
  close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${String(port)}`, requests, server, close };
}
