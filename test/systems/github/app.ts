import { generateKeyPairSync } from "node:crypto";
import type { DoubleApp } from "./doubleAccount.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

/** The key of the App. */
export const PEM: string = privateKey.export({ type: "pkcs1", format: "pem" }).toString();

/** A GitHub App for a double. */
export const APP: DoubleApp = {
  id: 4711,
  installation: 12,
  publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  slug: "release-train",
};

/** The environment of the App, its key as given. */
export function environment(key: string): Readonly<Record<string, string>> {
  return {
    KYMA_MODULES_APP_ID: "4711",
    KYMA_MODULES_APP_PRIVATE_KEY: key,
    GITHUB_TOKEN: "ghs_workflows",
  };
}
