import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { basic } from "../../support/ociFixture.ts";

/** A certificate with its own authority, for a server at an IP address. PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes a certificate in `folder`. */
export function certificateFor(address: string, folder: string): Certificate {
  mkdirSync(folder);
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=git", "-addext", `subjectAltName=IP:${address}`];
  execFileSync("openssl", ["req", ...kind, ...names, "-out", cert, "-keyout", key], { stdio: "pipe" });
  return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
}

/** The content and the credentials of a Git server. */
export interface GitServerOptions extends Certificate {
  /** The folder of the repositories. */
  readonly repositories: string;
  /** The password of the user `x-access-token`. */
  readonly token: string;
}

/** A Git server over https. */
export interface GitServer {
  readonly port: number;
  readonly stop: () => void;
}

/** Serves repositories at an address to clients with the token, with Git's own http-backend. */
export async function startGitServer(options: GitServerOptions, address: string): Promise<GitServer> {
  const authorization = basic({ user: "x-access-token", password: options.token });
  const server: Server = createServer(options, (request, response) => {
    if (request.headers.authorization === authorization) answer(options, request, response);
    else response.writeHead(401, { "www-authenticate": "Basic" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Parses the output of a CGI program: headers, an empty line, and the body. */
function answer({ repositories }: GitServerOptions, request: IncomingMessage, response: ServerResponse): void {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const child = spawn("git", ["http-backend"], {
    env: {
      ...{ PATH: process.env["PATH"], GIT_PROJECT_ROOT: repositories, GIT_HTTP_EXPORT_ALL: "1" },
      ...{ REQUEST_METHOD: request.method, PATH_INFO: path, QUERY_STRING: query },
      CONTENT_TYPE: request.headers["content-type"],
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
      GIT_PROTOCOL: request.headers["git-protocol"]?.toString(),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf("\r\n\r\n");
    const fields = output.subarray(0, end).toString().split("\r\n");
    const headers = Object.fromEntries(fields.map((field) => field.split(": ", 2) as [string, string]));
    response.writeHead(Number.parseInt(headers["Status"] ?? "200"), headers).end(output.subarray(end + 4));
  });
}
