import { cpSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { npm, root } from "../house/clone.ts";

const PACKED = [
  ...[".ci", ".github", "channels", "modules", "src", "schemas"],
  ...["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"],
];

/** The error codes of npm for an unreachable registry. */
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED)\b/;

/** Packs a copy in `folder`, so that no other `dist/` interferes. Returns the path of the package. */
export function pack(folder: string): string {
  const clone = join(folder, "clone");
  for (const name of PACKED) cpSync(join(root, name), join(clone, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  npm(["pack", "--pack-destination", folder], clone);
  const file = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (file === undefined) throw new Error(`npm pack left no package in ${folder}`);
  return join(folder, file);
}

/** Runs npm in a folder; returns why that is not possible here if the registry is unreachable. */
export function npmUnlessOffline(args: readonly string[], folder: string): string | undefined {
  try {
    npm([...args, "--prefer-offline", "--no-audit", "--no-fund"], folder);
    return undefined;
  } catch (error) {
    const code = error instanceof Error ? UNREACHABLE.exec(error.message)?.[0] : undefined;
    if (code === undefined) throw error;
    return `the package registry cannot be reached (${code})`;
  }
}
