import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Fault } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { PERMISSIONS } from "./faults.ts";

/** Credentials for GitHub. */
export type GithubCredentials =
  | {
      readonly kind: "token";
      readonly token: string;
      /** Whether it may be the token of a workflow run, whose pull requests start no checks. */
      readonly mayBeWorkflow: boolean;
    }
  | { readonly kind: "app"; readonly appId: string; readonly privateKey: string };

const APP_ID = "KYMA_MODULES_APP_ID";
const APP_KEY = "KYMA_MODULES_APP_PRIVATE_KEY";

/**
 * Reads credentials from the environment. A GitHub App takes precedence over a token, since a workflow always has a
 * token. Throws FORGE_UNAUTHORIZED, whose message names the variables to set.
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
        `or set ${APP_ID} and ${APP_KEY} (PEM, or the path of a file) to those of a GitHub App.`,
    );
  }
  // The prefix identifies a person's token; that of a workflow run has the same prefix as that of any App.
  return { kind: "token", token, mayBeWorkflow: !/^(ghp|github_pat|gho|ghu)_/.test(token) };
}

async function privateKey(value: string): Promise<string> {
  // Variables often contain the line ends of a PEM as the two characters \n.
  const isPem = value.trimStart().startsWith("-----BEGIN");
  const pem = isPem ? value.replaceAll("\\n", "\n") : await readKey(value);
  try {
    // GitHub issues PKCS#1, and the signing library needs PKCS#8.
    return createPrivateKey(pem).export({ type: "pkcs8", format: "pem" }).toString();
  } catch {
    // The cause could quote the key.
    throw new Fault("FORGE_UNAUTHORIZED", `${APP_KEY} is not a valid private key in PEM. Copy the whole key.`);
  }
}

async function readKey(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    // The message omits the path: it may be a malformed key.
    const reason = problemText(cause);
    throw new Fault("FORGE_UNAUTHORIZED", `${APP_KEY} is neither a PEM nor a file that can be read (${reason}).`);
  }
}
