import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../ports.ts";
import { errorCode } from "../errno.ts";
import { pause } from "../pause.ts";
import { makeFolder } from "../files/folder.ts";

/** Name of the folder, in that of a control plane, that only its user may enter. The sockets of etcd lie there, too. */
export const KEYS_FOLDER = "pki";

/** Members of this group may do everything, whatever RBAC says. */
const ADMINISTRATORS = "system:masters";
const ADMINISTRATOR = "kyma-modules-admin";

/** kube-apiserver makes its certificate for a year, and this much of it must be left at a start. */
const LEAST_VALIDITY_MS = 30 * 86_400_000;
const POLL_MS = 50;

/**
 * Makes the keys of the control plane in `folder` and returns the bearer token of an administrator. Keys, tokens and
 * certificates of an earlier start stay, so that what was handed out stays valid.
 */
export async function prepareKeys(folder: string, nowMs: number): Promise<string> {
  const path = (name: string): string => join(folder, KEYS_FOLDER, name);
  await makeFolder(path(""));
  await chmod(path(""), 0o700); // a copy of the folder may be open to others
  await removeUnusableCertificate(folder, nowMs);
  const serviceAccountKey = await kept(path("service-account.key"), newKey);
  await writePrivately(path("service-account.pub"), publicHalf(serviceAccountKey));
  const tokens = await kept(path("tokens.csv"), newToken);
  return tokens.slice(0, tokens.indexOf(","));
}

/** Waits until kube-apiserver has made its certificate, and returns it with that of the authority that signed it. PEM. */
export async function servingCertificate(folder: string, run: Run): Promise<string> {
  const { certificate, key } = servingPair(folder);
  while (!existsSync(key)) await pause(POLL_MS, run); // written after the certificate
  return readFile(certificate, "utf8");
}

/** Where kube-apiserver writes its serving certificate, and then the key of it. */
function servingPair(folder: string): { readonly certificate: string; readonly key: string } {
  return { certificate: join(folder, KEYS_FOLDER, "apiserver.crt"), key: join(folder, KEYS_FOLDER, "apiserver.key") };
}

/** kube-apiserver makes a pair where there is none, but neither renews one nor starts with half of one. */
async function removeUnusableCertificate(folder: string, nowMs: number): Promise<void> {
  if (await hasUsableCertificate(folder, nowMs)) return;
  for (const path of Object.values(servingPair(folder))) await rm(path, { force: true });
}

async function hasUsableCertificate(folder: string, nowMs: number): Promise<boolean> {
  const paths = servingPair(folder);
  try {
    const certificate = new X509Certificate(await readFile(paths.certificate));
    const isPair = certificate.checkPrivateKey(createPrivateKey(await readFile(paths.key)));
    return isPair && certificate.validToDate.getTime() - nowMs > LEAST_VALIDITY_MS;
  } catch (error) {
    if (error instanceof Error && "syscall" in error && errorCode(error) !== "ENOENT") throw error;
    return false; // a start that was killed left half of it
  }
}

async function kept(path: string, make: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const content = make();
    await writePrivately(path, content);
    return content;
  }
}

/** Writes a file as a whole or not at all: the next start keeps what it finds. */
async function writePrivately(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function publicHalf(key: string): string {
  return createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
}

/** A line of a static token file: token, user, user id, groups. */
function newToken(): string {
  return `${randomBytes(32).toString("base64url")},${ADMINISTRATOR},${ADMINISTRATOR},${ADMINISTRATORS}\n`;
}
