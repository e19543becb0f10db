import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault, type Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { readCredentials } from "./credentials.ts";
import { openSignIn, type SignInSettings } from "./signIn.ts";

/** Timeout of one request, in milliseconds. */
const ANSWER_MS = 20_000;

/**
 * Gives the token of a GitHub App for a repository, which Git accepts as a password. It is valid for an hour, and is
 * renewed in time. The App is read from the environment, see `readCredentials`; `undefined` without one.
 */
function openAppToken(settings: Omit<SignInSettings, "credentials">): ((run: Run) => Promise<string>) | undefined {
  const { repository, variables } = settings;
  if ((variables["KYMA_MODULES_APP_ID"] ?? "") === "") return undefined;
  let signIn: ReturnType<typeof openSignIn> | undefined;
  return async ({ signal }) => {
    signIn ??= openSignIn({ ...settings, credentials: await readCredentials(variables) }, ANSWER_MS);
    const [owner = "", repo = ""] = repository.split("/");
    try {
      const octokit = await signIn({ owner, repo, request: { signal } });
      const { token } = (await octokit.auth({ type: "installation" })) as { readonly token: string };
      return token;
    } catch (cause) {
      signal.throwIfAborted();
      // The key may be rotated, and the App installed anew.
      signIn = undefined;
      if (cause instanceof Fault) throw cause;
      const remedy = "Check the App, its key and the network.";
      const message = `The GitHub App gets no token for ${repository} (${problemText(cause)}). ${remedy}`;
      throw new Fault("FORGE_UNAUTHORIZED", message, { cause, retry: true });
    }
  };
}

/** The sign-in of Git as a GitHub App. */
interface AppSignIn {
  /** The folder with the file `token`, from which Git's credential helper reads. */
  readonly folder: string;
  /** Writes a token that is valid into the file. Throws FORGE_UNAUTHORIZED. */
  readonly signIn: (run: Run) => Promise<void>;
}

/**
 * Keeps the token of `openAppToken` in a file, which only this user can read and which goes with the process; `undefined`
 * without an App.
 */
export function openAppSignIn(settings: Omit<SignInSettings, "credentials">): AppSignIn | undefined {
  const tokenOf = openAppToken(settings);
  if (tokenOf === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-app-"));
  process.once("exit", () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const signIn = async (run: Run): Promise<void> => {
    await writeFile(join(folder, "token"), await tokenOf(run), { mode: 0o600 });
  };
  return { folder, signIn };
}
