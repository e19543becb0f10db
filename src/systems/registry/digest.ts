import { createHash, getHashes } from "node:crypto";
import { Fault } from "../../ports.ts";

/** The SHA-256 digest of a content, as registries write it. */
export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Throws REGISTRY_CORRUPT unless `bytes` are what `digest` says. */
export function verify(bytes: Uint8Array, digest: string, subject: string): void {
  const [algorithm = ""] = digest.split(":");
  if (!getHashes().includes(algorithm)) throw corrupt(subject, `its digest ${digest} is of an unknown kind`);
  const found = `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
  if (found !== digest)
    throw corrupt(subject, `it should have the digest ${digest}, but the content that came has ${found}`);
}

/** The Fault for a content that is not what it should be. */
export function corrupt(subject: string, why: string): Fault {
  return new Fault("REGISTRY_CORRUPT", `${subject}: ${why}. Push it again, or ask who runs the registry.`);
}
