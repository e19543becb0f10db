import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { Repository } from "../../src/systems/git/repository.ts";
import { runInShell } from "../support/shell.ts";

/** What a path holds: a file with this content, or a link to this target. */
export type Content = string | Uint8Array | { readonly link: string };

/** A folder on disk, removed with the test. */
export interface Folder {
  readonly path: string;
  /** Writes files, and links; what stood there goes. */
  readonly write: (files: Readonly<Record<string, Content>>) => void;
  readonly remove: (path: string) => void;
  /** Runs git there, untouched by the user's settings and by a hook that may have started the tests. */
  readonly git: (...args: readonly string[]) => string;
  /** Commits everything that lies there, as of `atMs` (Unix milliseconds, now by default); gives the commit. */
  readonly commit: (message?: string, atMs?: number) => string;
}

const ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  // Whether there is something to clean up would be asked after each commit, by a process of its own.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "maintenance.auto",
  GIT_CONFIG_VALUE_0: "false",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

/** Prints the full name of the commit. */
const COMMIT = ["-c", "core.abbrev=40", "commit", "--allow-empty", "--message"];

/** An empty folder that is not a Git repository. */
export function emptyFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "kyma-modules-folder-"));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return folderAt(path);
}

/** The folder at `path`, which the caller removes. */
export function folderAt(path: string): Folder {
  const remove: Folder["remove"] = (name) => {
    rmSync(join(path, name), { recursive: true, force: true });
  };
  const git = (args: readonly string[], more: Readonly<Record<string, string>> = {}): string => {
    const { status, stdout, stderr } = runInShell({
      program: "git",
      args,
      cwd: path,
      env: { ...ENVIRONMENT, ...more },
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")} in ${path}: ${stderr}`);
    return stdout.toString().trim();
  };
  return {
    path,
    remove,
    git: (...args) => git(args),
    write: (files) => {
      for (const [name, content] of Object.entries(files)) put(join(path, name), content);
    },
    commit: (message = "change", atMs = Date.now()) => {
      const date = `${Math.floor(atMs / 1000)} +0000`;
      const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      git(["add", "--all"]);
      return /\b[0-9a-f]{40}\b/.exec(git([...COMMIT, message], dates))?.[0] ?? "";
    },
  };
}

/** The folder at `path` as the program asks Git about it. */
export function gitAt(path: string): Repository {
  return Repository.of(path, process.env);
}

/** A PATH with a `git` that runs a script of sh first, which knows its arguments as `$*`. */
export function pathWithGit(script: string): string {
  const tools = emptyFolder();
  const path = String(process.env["PATH"]);
  tools.write({ git: `#!/bin/sh\nPATH='${path}'\n${script}\nexec git "$@"\n` });
  chmodSync(join(tools.path, "git"), 0o755);
  return `${tools.path}:${path}`;
}

/** The beginning of a program that calls the folder in which it runs `git`. */
export function gitHere(): string {
  const path = JSON.stringify(join(import.meta.dirname, "../../src/systems/git/repository.ts"));
  return `import { Repository } from ${path}; const git = Repository.of(".", process.env);`;
}

/** A Git repository without a commit. */
export function emptyRepository(): Folder {
  return initialized(emptyFolder());
}

/** The same for all tests of a file, which calls this outside of them. */
export function lastingRepository(): Folder {
  const folder = folderAt(mkdtempSync(join(tmpdir(), "kyma-modules-folder-")));
  afterAll(() => {
    folder.remove(".");
  });
  return initialized(folder);
}

/** A copy of a folder, removed with the test. */
export function copyOf({ path }: Folder): Folder {
  const folder = emptyFolder();
  cpSync(path, folder.path, { recursive: true });
  return folder;
}

/** A repository without a commit and without a working tree: a remote. */
export function bareRepository(): Folder {
  // It would clean up after each push, in a process of its own.
  return initialized(emptyFolder(), "", "\tbare = true\n[receive]\n\tautogc = false\n");
}

/** Writes what `git config` and `git remote add origin` do, without a process. */
export function configure(
  { path }: Folder,
  { user, origin }: { readonly user?: string; readonly origin?: Folder },
): void {
  const texts = [
    ...(user === undefined ? [] : [`[user]\n\tname = ${user}\n\temail = ${user.toLowerCase()}@example.com\n`]),
    ...(origin === undefined
      ? []
      : [`[remote "origin"]\n\turl = ${origin.path}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`]),
  ];
  const isBare = !existsSync(join(path, ".git"));
  appendFileSync(join(path, isBare ? "config" : ".git/config"), texts.join(""));
}

/** Writes what `git init` does, without a process. */
function initialized(folder: Folder, at = ".git", more = "\tlogallrefupdates = true\n"): Folder {
  for (const name of ["objects", "refs"]) mkdirSync(join(folder.path, at, name), { recursive: true });
  folder.write({
    [join(at, "HEAD")]: "ref: refs/heads/main\n",
    [join(at, "config")]: `[core]\n\trepositoryformatversion = 0\n${more}`,
  });
  return folder;
}

function put(path: string, content: Content): void {
  mkdirSync(dirname(path), { recursive: true });
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) rmSync(path, { recursive: true });
  if (typeof content === "object" && "link" in content) symlinkSync(content.link, path);
  else writeFileSync(path, content);
}
