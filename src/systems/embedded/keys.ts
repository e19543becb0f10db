import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../ports.ts";
import { errorCode } from "../errno.ts";
import { makeFolder } from "../files/folder.ts";
import { replaceFile } from "../files/replaceFile.ts";
import { pause } from "../pause.ts";

/** Name of the private subfolder of a control plane's folder. It also holds the sockets of etcd. */
export const KEYS_FOLDER = "pki";

/** Members of this group may do everything, regardless of RBAC. */
const ADMINISTRATORS = "system:masters";
const ADMINISTRATOR = "kyma-modules-admin";

/** Minimum remaining validity at a start; kube-apiserver creates its certificate for one year. */
const LEAST_VALIDITY_MS = 30 * 86_400_000;
const POLL_MS = 50;
const PRIVATE = { mode: 0o600 };

/**
 * Creates the keys of the control plane in `folder` and returns the bearer token of an administrator. Keeps keys,
 * tokens and certificates of an earlier start, so that issued credentials stay valid.
 */
export async function prepareKeys(folder: string, nowMs: number): Promise<string> {
  const path = (name: string): string => join(folder, KEYS_FOLDER, name);
  await makeFolder(path(""));
  await chmod(path(""), 0o700); // a copy of the folder may be open to others
  // kube-apiserver creates a missing pair, but neither renews one nor starts with half of one.
  if (!(await hasUsableCertificate(folder, nowMs)))
    for (const file of Object.values(servingPair(folder))) await rm(file, { force: true });
  const serviceAccountKey = await kept(path("service-account.key"), () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  });
  const publicKey = createPublicKey(serviceAccountKey).export({ type: "spki", format: "pem" }).toString();
  replaceFile(path("service-account.pub"), publicKey, PRIVATE);
  const tokens = await kept(path("tokens.csv"), () => {
    const token = randomBytes(32).toString("base64url");
    // A line of a static token file: token, user, user id, groups.
    return `${token},${ADMINISTRATOR},${ADMINISTRATOR},${ADMINISTRATORS}\n`;
  });
  return tokens.slice(0, tokens.indexOf(","));
}

/** Waits until kube-apiserver has created its certificate; returns it with that of its authority, as PEM. */
export async function servingCertificate(folder: string, run: Run): Promise<string> {
  const { certificate, key } = servingPair(folder);
  while (!existsSync(key)) await pause(POLL_MS, run); // written after the certificate
  return readFile(certificate, "utf8");
}

/** The paths of the serving certificate and its key, which kube-apiserver writes in this order. */
function servingPair(folder: string): { readonly certificate: string; readonly key: string } {
  return { certificate: join(folder, KEYS_FOLDER, "apiserver.crt"), key: join(folder, KEYS_FOLDER, "apiserver.key") };
}

async function hasUsableCertificate(folder: string, nowMs: number): Promise<boolean> {
  const paths = servingPair(folder);
  try {
    const certificate = new X509Certificate(await readFile(paths.certificate));
    const isPair = certificate.checkPrivateKey(createPrivateKey(await readFile(paths.key)));
    return isPair && certificate.validToDate.getTime() - nowMs > LEAST_VALIDITY_MS;
  } catch (error) {
    if (error instanceof Error && "syscall" in error && errorCode(error) !== "ENOENT") throw error;
    return false; // left incomplete by a start that was killed
  }
}

async function kept(path: string, make: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const content = make();
    replaceFile(path, content, PRIVATE);
    return content;
  }
}
