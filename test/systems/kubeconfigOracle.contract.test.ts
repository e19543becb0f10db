import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createPlain, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, type TestContext, vi } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import { LIMITS, openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { CASES, type Files, type Scene } from "./kubeconfigCases.ts";
import { emptyFolder, type Folder } from "./repository.ts";

/** What a client asked: the path before that of the API, and who it said it was. */
type Seen = readonly unknown[] | "refused";

it.for(Object.entries(CASES))("kubectl and this program agree on %s", async ([, files], context) => {
  const folder = emptyFolder();
  const { scene, seen } = await listening(folder);
  const variables = { KUBECONFIG: written(folder, files(scene)), HOME: folder.path };
  const kubectls = await seenAs(seen, () => kubectl(variables, context));
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const ours = await seenAs(seen, ask);

  expect(ours).toEqual(kubectls);
});

function written(folder: Folder, files: Files): string {
  const listed: string[] = [join(folder.path, "absent")];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (name.endsWith("program")) chmodSync(path, 0o755);
    if (/^(in\/)?[ab]$/.test(name)) listed.push(path);
  }
  return listed.join(":");
}

async function seenAs(seen: IncomingHttpHeaders[], ask: () => Promise<unknown>): Promise<Seen> {
  seen.length = 0;
  await ask();
  const [first] = seen;
  return first === undefined ? "refused" : Object.entries(first).sort();
}

/** Reads a Lease. */
async function ask(): Promise<unknown> {
  try {
    const limits = { ...LIMITS, backOffMs: 0 };
    const ref = { resource: RESOURCES.lease, namespace: "default", name: "any" };
    return await controlPlane(await openAccess({ context: "test" }, limits)).read(ref, quietRun());
  } catch (error) {
    return error;
  }
}

function kubectl(variables: NodeJS.ProcessEnv, context: TestContext): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const args = ["--context", "test", "version", "--request-timeout", "10s"];
  const options = { env: { PATH: process.env["PATH"], ...variables }, timeout: 60_000 };
  const asking = execFile("kubectl", args, options, (error) => {
    if (error !== null && "code" in error && error.code === "ENOENT") context.skip("there is no kubectl");
    resolve(error);
  });
  // It would ask for a missing password, and wait for it.
  asking.stdin?.end();
  return promise;
}

/** A server that notes where and as whom it is asked, over TLS and without. */
async function listening(folder: Folder): Promise<{ readonly scene: Scene; readonly seen: IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = [];
  const note: RequestListener = ({ url = "", headersDistinct }, response) => {
    const who = Object.entries(headersDistinct).filter(([name]) => /^(authorization|impersonate-.*)$/.test(name));
    const said = Object.fromEntries(who.map(([name, values]) => [name, values?.join(" and ")]));
    seen.push({ ...said, base: url.split(/\/(?:version|apis?)\b/)[0] });
    response.writeHead(404, { "content-type": "application/json" }).end('{"kind":"Status","code":404}');
  };
  const [key, cert] = [join(folder.path, "key.pem"), join(folder.path, "cert.pem")];
  const names = "subjectAltName=IP:127.0.0.1,DNS:kcp.test";
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=kcp", "-addext", names];
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const authority = readFileSync(cert);
  const server = `https://${await open(createServer({ key: readFileSync(key), cert: authority }, note))}`;
  const plain = `http://${await open(createPlain(note))}`;
  const cluster = { server, "certificate-authority-data": authority.toString("base64") };
  return { scene: { folder: folder.path, cluster, plain }, seen };
}

async function open(server: Server & { closeAllConnections(): void }): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
