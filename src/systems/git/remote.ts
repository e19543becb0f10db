import { withoutPasswords } from "../../document/printable.ts";
import { Fault, type Run } from "../../ports.ts";
import type { CommandOutput } from "../process.ts";
import type { Repository } from "./repository.ts";

/** A branch of a remote of a clone. */
export interface RemoteBranch {
  readonly repository: Repository;
  /** Its name or its address. */
  readonly remote: string;
  readonly branch: string;
  /** Timeout of one call, in milliseconds. */
  readonly deadlineMs: number;
  /** Renews the credentials of Git where they expire. Called before each call. */
  readonly signIn?: ((run: Run) => Promise<void>) | undefined;
}

/** The result of a push. */
type PushOutcome =
  | { readonly kind: "pushed" }
  /** The branch was or is not where expected, or its state is unknown. Read it again. */
  | { readonly kind: "unclear"; readonly fault: Fault }
  /** The remote itself declined with the message `words`. */
  | { readonly kind: "declined"; readonly words: string };

/**
 * Uses Git's stored credentials and disables prompts, of Git and of ssh, which would ask for a passphrase at the
 * terminal. `LC_ALL=C`, because Git's messages are parsed.
 */
const VARIABLES = {
  GIT_TERMINAL_PROMPT: "0",
  SSH_ASKPASS: "false",
  SSH_ASKPASS_REQUIRE: "force",
  LC_ALL: "C",
};

/**
 * The commit of the branch at the remote; `undefined` if it does not exist.
 * Throws FORGE_UNREACHABLE, FORGE_UNAUTHORIZED, FORGE_TIMEOUT.
 */
export async function remoteTip(target: RemoteBranch, run: Run): Promise<string | undefined> {
  return (await remoteTips(target, [target.branch], run)).get(target.branch);
}

/**
 * The commits of the remote's branches that match these names, in which `*` matches anything. Throws as `remoteTip`.
 */
export async function remoteTips(
  target: Omit<RemoteBranch, "branch">,
  names: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, string>> {
  const refs = names.map((name) => `refs/heads/${name}`);
  const { code, stdout, stderr } = await remoteGit(target, ["ls-remote", "--", target.remote, ...refs], run);
  if (code !== 0) throw refusal(target, stderr);
  // Git also lists refs/x/refs/heads/main.
  const lines = stdout.toString().matchAll(/^([0-9a-f]+)\trefs\/heads\/(.+)$/gm);
  return new Map([...lines].map(([, tip = "", branch = ""]) => [branch, tip]));
}

/**
 * Moves the branch of the remote from `from` to `commit` atomically. Skips the user's pre-push hook: it checks a
 * working tree, and this commit does not come from one. Throws FORGE_TIMEOUT; the push may have arrived then.
 */
export async function push(target: RemoteBranch, commit: string, from: string, run: Run): Promise<PushOutcome> {
  const ref = `refs/heads/${target.branch}`;
  const flags = ["--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no"];
  // The lease binds the push to the commit that was decided on. As the new commit is its child, nothing is overwritten.
  const lease = `--force-with-lease=${ref}:${from}`;
  const args = ["push", ...flags, lease, "--", target.remote, `${commit}:${ref}`];
  const { code, stdout, stderr } = await remoteGit(target, args, run);
  if (code === 0) return { kind: "pushed" };
  const refused = /^!\t[^\t]*\t\[remote rejected\] \((.*)\)$/m.exec(stdout.toString());
  if (refused === null) return { kind: "unclear", fault: refusal(target, stderr) };
  const said = [...stderr.matchAll(/^remote: *(\S.*?)\s*$/gm)].map(([, line = ""]) => line);
  return { kind: "declined", words: [...said, refused[1] ?? ""].join(" / ") };
}

/**
 * Fetches into the clone; `args` end with the remote and what is wanted of it. Returns Git's message if that failed.
 * Throws FORGE_TIMEOUT, and HISTORY_TOO_SHALLOW if the remote is a shallow clone.
 */
export async function fetchProblem(
  target: RemoteBranch,
  args: readonly string[],
  run: Run,
): Promise<string | undefined> {
  // Git writes packs more safely than single objects. Its own maintenance would continue beyond the lock and the
  // deadline.
  const settings = ["-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1"];
  const flags = ["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules"];
  const { code, stderr } = await remoteGit(target, [...settings, "fetch", ...flags, ...args], run);
  // Git exits with 0 then, and leaves the branch as it was.
  if (stderr.includes("because shallow roots are not allowed")) throw shallowRemote(target);
  return code === 0 ? undefined : stderr;
}

function shallowRemote(target: RemoteBranch): Fault {
  const remedy =
    "Complete it there: git fetch --unshallow. Or name the repository that it was cloned from (sync --watch --git URL).";
  const message = `${remoteName(target)} is a shallow clone, which lacks commits of the branch ${target.branch}. ${remedy}`;
  return new Fault("HISTORY_TOO_SHALLOW", message);
}

/** The fault for a fetch that failed with the message `problem`. */
export function fetchFailed(target: RemoteBranch, problem: string): Fault {
  const message = `git could not fetch ${target.branch} from ${remoteName(target)}: ${refusalWords(problem)}`;
  return new Fault("GIT_FAILED", message, { retry: true });
}

/**
 * Runs a Git command that contacts the remote, without prompts; accepts exit codes 1 and 128. Throws FORGE_TIMEOUT,
 * FORGE_UNREACHABLE.
 */
async function remoteGit(
  target: Omit<RemoteBranch, "branch">,
  args: readonly string[],
  run: Run,
): Promise<CommandOutput> {
  const { repository, deadlineMs: ms } = target;
  await target.signIn?.(run);
  const deadline = { ms, who: `The remote ${remoteName(target)}`, fault: "FORGE_TIMEOUT" } as const;
  const options = { accepted: [1, 128], fault: "FORGE_UNREACHABLE", deadline } as const;
  return repository.with(VARIABLES).git(args, run, options);
}

const UNAUTHORIZED =
  /terminal prompts disabled|Authentication failed|Permission denied \(|returned error: 40[13]|Permission to \S+ denied/;

function refusal(target: Pick<RemoteBranch, "remote">, stderr: string): Fault {
  const words = refusalWords(stderr);
  const name = remoteName(target);
  if (UNAUTHORIZED.test(stderr)) {
    const remedy = "Configure credentials in Git: a credential helper, or a key in ssh-agent.";
    return new Fault("FORGE_UNAUTHORIZED", `The remote ${name} asks for credentials (${words}). ${remedy}`);
  }
  const remedy = "Check its address and the network.";
  return new Fault("FORGE_UNREACHABLE", `The remote ${name} cannot be reached (${words}). ${remedy}`, { retry: true });
}

/** The message of Git on one line, without passwords. */
function refusalWords(stderr: string): string {
  return withoutPasswords(stderr.trim().replaceAll(/\s*\n\s*/g, " / "));
}

/** The name of a remote for messages. */
export function remoteName({ remote }: Pick<RemoteBranch, "remote">): string {
  return withoutPasswords(remote);
}
