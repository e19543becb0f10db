// Checks the format of every file that Prettier knows, unless it passed before as it is, with the same settings and Prettier.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as prettier from "prettier";
import { root } from "./clone.ts";
import { checkOnce, filesBelow, sha256 } from "./passed.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
/** As Prettier's own command line does. */
const IGNORES = [".gitignore", ".prettierignore"];
const common = [prettier.version, read(".prettierrc.json"), ...IGNORES.map(read)];

const keys = new Map<string, string>();
for (const path of filesBelow(root)) {
  const { ignored, inferredParser } = await prettier.getFileInfo(join(root, path), {
    ignorePath: IGNORES.map((name) => join(root, name)),
  });
  if (!ignored && inferredParser !== null) keys.set(path, sha256([...common, path, read(path)]));
}

await checkOnce("format", keys, async (due) => {
  const failing = new Set<string>();
  for (const path of due) {
    const options = await prettier.resolveConfig(join(root, path));
    if (!(await prettier.check(read(path), { ...options, filepath: join(root, path) }))) failing.add(path);
  }
  for (const path of failing) console.log(`${path} is not formatted: npx prettier --write ${path}`);
  return failing;
});
