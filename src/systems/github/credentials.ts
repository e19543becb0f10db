import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Fault } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { PERMISSIONS } from "./faults.ts";

/** Who asks GitHub. */
export type GithubCredentials =
  | {
      readonly kind: "token";
      readonly token: string;
      /** Whether it can be the token of a workflow run, whose pull requests start no checks. */
      readonly mayBeWorkflow: boolean;
    }
  | { readonly kind: "app"; readonly appId: string; readonly privateKey: string };

const APP_ID = "KYMA_MODULES_APP_ID";
const APP_KEY = "KYMA_MODULES_APP_PRIVATE_KEY";

/**
 * Who the environment says that we are: a GitHub App before a token, as a workflow always has a token, too.
 * Throws FORGE_UNAUTHORIZED, which names the variables to set.
 */
export async function readCredentials(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<GithubCredentials> {
  const appId = variables[APP_ID] ?? "";
  const key = variables[APP_KEY] ?? "";
  if (appId !== "" && key !== "") return { kind: "app", appId, privateKey: await privateKey(key) };
  if (appId !== key) {
    const [set, missing] = appId === "" ? [APP_KEY, APP_ID] : [APP_ID, APP_KEY];
    throw new Fault("FORGE_UNAUTHORIZED", `${set} is set and ${missing} is not: a GitHub App needs both.`);
  }
  const token = ["GITHUB_TOKEN", "GH_TOKEN"].map((name) => variables[name]?.trim() ?? "").find((value) => value !== "");
  if (token === undefined) {
    throw new Fault(
      "FORGE_UNAUTHORIZED",
      `No credentials for GitHub: set GITHUB_TOKEN or GH_TOKEN to a token with ${PERMISSIONS}, ` +
        `or ${APP_ID} and ${APP_KEY} (PEM, or the path of a file) to those of a GitHub App.`,
    );
  }
  // A person's token says so at its beginning; that of a workflow run begins as that of any App does.
  return { kind: "token", token, mayBeWorkflow: !/^(ghp|github_pat|gho|ghu)_/.test(token) };
}

async function privateKey(value: string): Promise<string> {
  // A variable often holds the line ends of a PEM as two characters.
  const isPem = value.trimStart().startsWith("-----BEGIN");
  const pem = isPem ? value.replaceAll("\\n", "\n") : await readKey(value);
  try {
    // What GitHub gives is PKCS#1, and what signs wants PKCS#8.
    return createPrivateKey(pem).export({ type: "pkcs8", format: "pem" }).toString();
  } catch {
    // The cause could quote the key.
    throw new Fault("FORGE_UNAUTHORIZED", `${APP_KEY} is not a private key in PEM. Copy it whole.`);
  }
}

async function readKey(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    // The path is not said: it may be a key that only looks like one.
    const reason = problemText(cause);
    throw new Fault("FORGE_UNAUTHORIZED", `${APP_KEY} is neither a PEM nor a file that can be read (${reason}).`);
  }
}
