import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  issue,
  newAuthority,
  newKey,
  publicHalf,
  type KeyPair,
  type CertificateSubject,
  type Usage,
} from "./certificates.ts";
import { errorCode } from "../errno.ts";
import { makeFolder } from "./folder.ts";

/** Everything by which the parts of one control plane know each other: paths of PEM files, and what clients need. */
export interface Identity {
  readonly folder: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly authority: string;
  /** A client certificate of an administrator. */
  readonly admin: KeyPair;
  /** A bearer token of the same administrator. */
  readonly token: string;
}

/** Members of this group may do everything, whatever RBAC says. */
const ADMINISTRATORS = "system:masters";
const ADMINISTRATOR = "kyma-modules-admin";
const AUTHORITY: CertificateSubject = { commonName: "kyma-modules embedded control plane" };
const ETCD_AUTHORITY: CertificateSubject = { commonName: "kyma-modules embedded etcd" };
const LOOPBACK = ["127.0.0.1"];

/**
 * Writes keys and certificates below `parent`. The authority and the key of the service accounts stay as they are when
 * they are there already, so that what was handed out stays valid; all else is new at each start.
 */
export async function writeIdentity(parent: string, nowMs: number): Promise<Identity> {
  const folder = join(parent, "pki");
  await makeFolder(folder);
  const authority = await authorityIn(folder, nowMs);
  const serviceAccountKey = await kept(join(folder, "service-account.key"), newKey);
  const kubernetes = issuer(AUTHORITY, authority, nowMs);
  const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const server = kubernetes({ commonName: "kube-apiserver" }, { kind: "server", addresses: LOOPBACK, names });
  const admin = kubernetes({ commonName: ADMINISTRATOR, organization: ADMINISTRATORS }, { kind: "client" });
  const token = randomBytes(32).toString("base64url");
  await writeAll(folder, {
    ...pair("server", server),
    ...etcdFiles(nowMs),
    "service-account.pub": publicHalf(serviceAccountKey),
    "tokens.csv": `${token},${ADMINISTRATOR},${ADMINISTRATOR},"${ADMINISTRATORS}"\n`,
  });
  return { folder, authority: authority.certificate, admin, token };
}

/** An authority of its own: who may talk to the API server may not go behind its back. */
function etcdFiles(nowMs: number): Readonly<Record<string, string>> {
  const authority = newAuthority(ETCD_AUTHORITY, nowMs);
  const etcd = issuer(ETCD_AUTHORITY, authority, nowMs);
  return {
    "etcd-ca.crt": authority.certificate,
    ...pair("etcd", etcd({ commonName: "etcd" }, { kind: "server", addresses: LOOPBACK, names: ["localhost"] })),
    ...pair("etcd-client", etcd({ commonName: "kube-apiserver" }, { kind: "client" })),
  };
}

function issuer(
  subject: CertificateSubject,
  { key }: KeyPair,
  nowMs: number,
): (whom: CertificateSubject, usage: Usage) => KeyPair {
  return (whom, usage) => issue(whom, usage, { subject, key }, nowMs);
}

async function authorityIn(folder: string, nowMs: number): Promise<KeyPair> {
  const fresh = newAuthority(AUTHORITY, nowMs);
  // One file for both, so that a killed start cannot leave one without the other.
  const parsed: unknown = JSON.parse(await kept(join(folder, "ca.json"), () => JSON.stringify(fresh)));
  const authority = isKeyPair(parsed) ? parsed : fresh;
  await writeAll(folder, { "ca.crt": authority.certificate });
  return authority;
}

function isKeyPair(value: unknown): value is KeyPair {
  return typeof value === "object" && value !== null && "certificate" in value && "key" in value;
}

const pair = (name: string, { certificate, key }: KeyPair): Readonly<Record<string, string>> => ({
  [`${name}.crt`]: certificate,
  [`${name}.key`]: key,
});

async function kept(path: string, make: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const content = make();
    await writeFile(path, content, { mode: 0o600 });
    return content;
  }
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content, { mode: 0o600 });
  }
}
