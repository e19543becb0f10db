import pLimit from "p-limit";
import { Fault, type Releases } from "../../ports.ts";
import type { Repository } from "./repository.ts";

const DEADLINE_MS = 30_000;
const CONCURRENCY = 4;

/** Disables prompts and credential helpers: only public repositories count. */
const VARIABLES = { GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "", SSH_ASKPASS: "" };
const SETTINGS = ["credential.helper=", "core.askPass=", "protocol.allow=never"];

/** Settings for source repositories. */
interface ReleaseSettings {
  /** For tests: also allows file:// and http://127.0.0.1. */
  readonly allowsLocal?: boolean;
  /** Timeout in milliseconds. */
  readonly deadlineMs?: number;
}

/** Source repositories, read anonymously by `git ls-remote`. `repository` provides the environment. */
export function gitReleases(
  repository: Repository,
  { allowsLocal = false, deadlineMs: ms = DEADLINE_MS }: ReleaseSettings = {},
): Releases {
  const limit = pLimit(CONCURRENCY);
  // Outside of any repository, since its settings could provide credentials.
  const nowhere = repository.at("/").with(VARIABLES);
  const protocols = (allowsLocal ? ["https", "http", "file"] : ["https"]).map(
    (name) => `protocol.${name}.allow=always`,
  );
  return {
    tagExists: async (repositoryUrl, version, run) => {
      if (!isAllowed(repositoryUrl, allowsLocal))
        throw new Fault("CONFIGURATION", `${repositoryUrl} is not an https address of a repository. Correct it.`);
      if (!/^[\w.+-]+$/.test(version))
        throw new Fault("CONFIGURATION", `${JSON.stringify(version)} is not a version, so it cannot be a tag.`);
      const refs = [`refs/tags/${version}`, `refs/tags/v${version}`];
      const settings = [...SETTINGS, ...protocols].flatMap((setting) => ["-c", setting]);
      const args = [...settings, "ls-remote", "--tags", "--refs", "--", repositoryUrl, ...refs];
      const deadline = { ms, who: repositoryUrl, fault: "GIT_FAILED" } as const;
      const { code, stdout, stderr } = await limit(() => nowhere.git(args, run, { accepted: [128], deadline }));
      if (code !== 0) {
        const why = `cannot be read without credentials (${stderr.trim().split("\n").at(-1) ?? ""})`;
        throw new Fault("GIT_FAILED", `${repositoryUrl} ${why}. Check the address and the network.`);
      }
      const lines = stdout.toString().split("\n");
      return lines.some((line) => refs.includes(line.slice(line.indexOf("\t") + 1)));
    },
  };
}

/** Whether an address is allowed: not an option, not a command (`ext::`), and without credentials. */
function isAllowed(text: string, allowsLocal: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  const isLocal = protocol === "file:" || (protocol === "http:" && hostname === "127.0.0.1");
  return protocol === "https:" || (allowsLocal && isLocal);
}
