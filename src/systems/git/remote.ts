import { Fault, type Run } from "../../ports.ts";
import type { CommandOutput } from "../process.ts";
import { withoutPasswords } from "./git.ts";
import type { Repository } from "./repository.ts";

/** A branch of a remote of a clone. */
export interface RemoteBranch {
  readonly repository: Repository;
  /** Its name, or its address. */
  readonly remote: string;
  readonly branch: string;
  /** For one call. Milliseconds. */
  readonly deadlineMs: number;
}

/** What a remote made of a push. */
export type PushOutcome =
  | { readonly kind: "pushed" }
  /** The branch was, or is, elsewhere than was said; or that is unknown. Look at it. */
  | { readonly kind: "unclear"; readonly fault: Fault }
  /** The remote itself declined; `words` are its own. */
  | { readonly kind: "declined"; readonly words: string };

/**
 * Credentials come from where Git has them; nobody is asked: neither by Git, nor by ssh, which would ask for a
 * passphrase at the terminal. `LC_ALL=C`: what failed is read from Git's words.
 */
const VARIABLES = {
  GIT_TERMINAL_PROMPT: "0",
  SSH_ASKPASS: "false",
  SSH_ASKPASS_REQUIRE: "force",
  LC_ALL: "C",
};

/**
 * The commit that the remote has the branch at; `undefined` when it has no such branch.
 * Throws FORGE_UNREACHABLE, FORGE_UNAUTHORIZED, FORGE_TIMEOUT.
 */
export async function remoteTip(target: RemoteBranch, run: Run): Promise<string | undefined> {
  return (await remoteTips(target, [target.branch], run)).get(target.branch);
}

/** The commits of the remote's branches with these names, in which `*` stands for anything. Throws as `remoteTip`. */
export async function remoteTips(
  target: Omit<RemoteBranch, "branch">,
  names: readonly string[],
  run: Run,
): Promise<ReadonlyMap<string, string>> {
  const refs = names.map((name) => `refs/heads/${name}`);
  const { code, stdout, stderr } = await remoteGit(target, ["ls-remote", "--", target.remote, ...refs], run);
  if (code !== 0) throw refusal(target, stderr);
  // Git would also list refs/x/refs/heads/main.
  const lines = stdout.toString().matchAll(/^([0-9a-f]+)\trefs\/heads\/(.+)$/gm);
  return new Map([...lines].map(([, tip = "", branch = ""]) => [branch, tip]));
}

/**
 * Moves the branch of the remote from `from` to `commit`, or not at all. The user's pre-push hook is not run: it judges
 * a working tree, and this commit comes from none. Throws FORGE_TIMEOUT, when the push may have arrived or not.
 */
export async function push(target: RemoteBranch, commit: string, from: string, run: Run): Promise<PushOutcome> {
  const ref = `refs/heads/${target.branch}`;
  const flags = ["--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no"];
  // The lease binds the push to what was decided on; the commit is a child of it, so nothing is ever overwritten.
  const lease = `--force-with-lease=${ref}:${from}`;
  const args = ["push", ...flags, lease, "--", target.remote, `${commit}:${ref}`];
  const { code, stdout, stderr } = await remoteGit(target, args, run);
  if (code === 0) return { kind: "pushed" };
  const refused = /^!\t[^\t]*\t\[remote rejected\] \((.*)\)$/m.exec(stdout.toString());
  if (refused === null) return { kind: "unclear", fault: refusal(target, stderr) };
  const said = [...stderr.matchAll(/^remote: *(\S.*?)\s*$/gm)].map(([, line = ""]) => line);
  return { kind: "declined", words: [...said, refused[1] ?? ""].join(" / ") };
}

/** Runs Git where it asks the remote and no person; 1 and 128 are answers. Throws FORGE_TIMEOUT, FORGE_UNREACHABLE. */
export function remoteGit(
  target: Omit<RemoteBranch, "branch">,
  args: readonly string[],
  run: Run,
): Promise<CommandOutput> {
  const { repository, deadlineMs: ms } = target;
  const deadline = { ms, who: `The remote ${remoteName(target)}`, fault: "FORGE_TIMEOUT" } as const;
  const options = { accepted: [1, 128], fault: "FORGE_UNREACHABLE", deadline } as const;
  return repository.with(VARIABLES).git(args, run, options);
}

const UNAUTHORIZED =
  /terminal prompts disabled|Authentication failed|Permission denied \(|returned error: 40[13]|Permission to \S+ denied/;

function refusal(target: Pick<RemoteBranch, "remote">, stderr: string): Fault {
  const words = wordsOf(stderr);
  const name = remoteName(target);
  if (UNAUTHORIZED.test(stderr)) {
    const remedy = "Give Git credentials for it: a credential helper, or a key that ssh-agent holds.";
    return new Fault("FORGE_UNAUTHORIZED", `The remote ${name} asks for credentials (${words}). ${remedy}`);
  }
  const remedy = "Check its address and the network.";
  return new Fault("FORGE_UNREACHABLE", `The remote ${name} could not be asked (${words}). ${remedy}`, { retry: true });
}

/** What Git says, on one line and without passwords. */
export function wordsOf(stderr: string): string {
  return withoutPasswords(stderr.trim().replaceAll(/\s*\n\s*/g, " / "));
}

/** What a remote is called in a message. */
export function remoteName({ remote }: Pick<RemoteBranch, "remote">): string {
  return withoutPasswords(remote);
}
