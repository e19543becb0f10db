import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Fault, type Run, type UnsignedCommit } from "../../ports.ts";
import type { Repository } from "./repository.ts";

/** The allowed signers. Without any, no commit counts as signed. */
export interface Signers {
  /** A file of SSH keys, see `gpg.ssh.allowedSignersFile` in git-config(1) and ALLOWED SIGNERS in ssh-keygen(1). */
  readonly allowedSigners?: string;
  /** A folder with a GPG keyring of exactly the allowed keys. It may be read-only. */
  readonly gnupgHome?: string;
}

/** A range of commits to check. */
interface CommitRange {
  /** Excludes this commit and its first-parent line; `undefined`: only `to`. */
  readonly from: string | undefined;
  readonly to: string;
}

/**
 * The commits on the first-parent line after `from` up to `to` that none of the signers signed, newest first. The
 * signature of a merge covers the commits that it brings. Throws REVISION_UNKNOWN, CONFIGURATION, GIT_FAILED.
 */
export async function unsignedCommits(
  repository: Repository,
  signers: Signers,
  { from, to }: CommitRange,
  run: Run,
): Promise<readonly UnsignedCommit[]> {
  const commits = await commitsIn(repository, from, to, run);
  if (commits.length === 0) return [];
  const keyring = await openKeyring(signers.gnupgHome);
  try {
    const git = repository.with({ LC_ALL: "C", GNUPGHOME: keyring ?? "" });
    const args = [...settingsFor(signers), "log", "-z", "--encoding=UTF-8", FORMAT, "--no-walk=unsorted", "--stdin"];
    const { stdout, stderr } = await git.git(args, run, { input: standardInput(commits) });
    if (stderr.includes("cannot run")) throw new Fault("GIT_FAILED", `git cannot check signatures: ${stderr.trim()}`);
    return await findUnsigned(git, checkedCommits(stdout.toString()), run);
  } finally {
    if (keyring !== undefined) await rm(keyring, { recursive: true, force: true });
  }
}

/**
 * The commits of the range. Git's own `from..to` would exclude commits that `from` merged, which need not be signed on
 * their own. (And `--exclude-first-parent-only` of Git 2.39 fails for commits with the same time.)
 */
async function commitsIn(
  repository: Repository,
  from: string | undefined,
  to: string,
  run: Run,
): Promise<readonly string[]> {
  if (from === undefined) return [await repository.resolve(to, run)];
  const [known, line] = await Promise.all(
    [from, to].map(async (one) => repository.firstParents(await repository.resolve(one, run), run)),
  );
  const before = new Set(known);
  return (line ?? []).filter((commit) => !before.has(commit));
}

function standardInput(commits: readonly string[]): string {
  return commits.map((commit) => `${commit}\n`).join("");
}

/** Ends each field with a NUL; one more NUL follows each commit. */
const FORMAT = "--format=%H%x00%an%x00%G?%x00%GF%x00";
const FIELDS = 5;

/** Disables the program of each signature type that has no allowed signers: its mark U would count as good. */
function settingsFor({ allowedSigners = "/dev/null", gnupgHome }: Signers): readonly string[] {
  if (!existsSync(allowedSigners)) throw missing(`The file ${allowedSigners} of allowed signers does not exist`);
  const ssh = `gpg.ssh.allowedSignersFile=${resolve(allowedSigners)}`;
  const openpgp = gnupgHome === undefined ? ["gpg.openpgp.program=false"] : [];
  return [ssh, "gpg.x509.program=false", ...openpgp].flatMap((setting) => ["-c", setting]);
}

const KEYRINGS = ["pubring.kbx", "pubring.gpg"];

/**
 * Copies the keyring, since GPG writes files beside it. All its keys are allowed, so GPG's own trust model is off.
 */
async function openKeyring(gnupgHome: string | undefined): Promise<string | undefined> {
  if (gnupgHome === undefined) return undefined;
  const names = KEYRINGS.filter((name) => existsSync(join(gnupgHome, name)));
  if (names.length === 0) throw missing(`There is no keyring (${KEYRINGS.join(", ")}) in ${gnupgHome}`);
  const folder = await mkdtemp(join(tmpdir(), "kyma-modules-keys-"));
  await Promise.all(names.map((name) => copyFile(join(gnupgHome, name), join(folder, name))));
  await writeFile(join(folder, "gpg.conf"), "trust-model always\nno-autostart\nno-auto-key-retrieve\n");
  return folder;
}

function missing(what: string): Fault {
  return new Fault("CONFIGURATION", `${what}, so signatures cannot be checked. Name another.`);
}

/** A commit with Git's verdict on its signature. */
interface CheckedCommit {
  readonly commit: string;
  readonly author: string;
  /** The value of `%G?`. */
  readonly mark: string;
  /** The fingerprint of the key; empty if the key is unknown. */
  readonly fingerprint: string;
}

function checkedCommits(output: string): readonly CheckedCommit[] {
  const fields = output.split("\0").slice(0, -1);
  return Array.from({ length: fields.length / FIELDS }, (_, index) => {
    const [commit = "", author = "", mark = "", fingerprint = ""] = fields.slice(index * FIELDS);
    return { commit, author, mark, fingerprint };
  });
}

async function findUnsigned(
  repository: Repository,
  commits: readonly CheckedCommit[],
  run: Run,
): Promise<readonly UnsignedCommit[]> {
  const bad = commits.filter((one) => !isGood(one));
  const signed = await signedAtAll(
    repository,
    bad.flatMap(({ commit, mark }) => (mark === "N" ? [commit] : [])),
    run,
  );
  return bad.map(({ commit, author, mark }) => ({
    ...{ commit, author },
    why: mark === "N" && !signed.has(commit) ? "no signature" : (WHY[mark] ?? UNKNOWN_KEY),
  }));
}

/**
 * Whether the signature counts. U is a good signature by a key of unknown validity: for GPG, a key of the keyring
 * without trust; for SSH, any key that is not in the file.
 */
function isGood({ mark, fingerprint }: CheckedCommit): boolean {
  return mark === "G" || (mark === "U" && /^[0-9A-F]+$/.test(fingerprint));
}

const UNKNOWN_KEY = "signed by an unknown key";

/** The problems of signatures, by mark. */
const WHY: Readonly<Record<string, string>> = {
  B: "a bad signature",
  X: "an expired signature",
  Y: "signed by an expired key",
  R: "signed by a revoked key",
};

/** The commits that have a signature at all: Git uses the same mark for none and for one that it cannot check. */
async function signedAtAll(repository: Repository, commits: readonly string[], run: Run): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const args = ["rev-list", "--header", "--no-walk=unsorted", "--stdin"];
  const raw = await repository.fields(args, run, { input: standardInput(commits) });
  const headers = raw.map((text) => text.slice(0, text.indexOf("\n\n")));
  return new Set(headers.filter((text) => /^gpgsig/m.test(text)).map((text) => text.slice(0, text.indexOf("\n"))));
}
