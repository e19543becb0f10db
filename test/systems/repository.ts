import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

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
  /** Commits everything that lies there; gives the commit. */
  readonly commit: (message?: string) => string;
}

const ENVIRONMENT = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

/** An empty folder that is no Git repository. */
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
  const git: Folder["git"] = (...args) =>
    execFileSync("git", args, {
      cwd: path,
      env: ENVIRONMENT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  return {
    path,
    remove,
    git,
    write: (files) => {
      for (const [name, content] of Object.entries(files)) put(join(path, name), content);
    },
    commit: (message = "change") => {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", message);
      return git("rev-parse", "HEAD");
    },
  };
}

/** A Git repository without a commit. */
export function emptyRepository(): Folder {
  const folder = emptyFolder();
  folder.git("init", "--quiet", "--initial-branch=main");
  return folder;
}

function put(path: string, content: Content): void {
  mkdirSync(dirname(path), { recursive: true });
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) rmSync(path, { recursive: true });
  if (typeof content === "object" && "link" in content) symlinkSync(content.link, path);
  else writeFileSync(path, content);
}
