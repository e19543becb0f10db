// Checks the format of every file that Prettier knows, unless it passed before as it is, with the same settings and Prettier.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as prettier from "prettier";
import { checkOnce, filesBelow, ROOT, sha256 } from "./passed.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const common = [prettier.version, read(".prettierrc.json"), read(".prettierignore")];

const keys = new Map<string, string>();
for (const path of filesBelow(ROOT)) {
  const { ignored, inferredParser } = await prettier.getFileInfo(join(ROOT, path), {
    ignorePath: join(ROOT, ".prettierignore"),
  });
  if (!ignored && inferredParser !== null) keys.set(path, sha256([...common, path, read(path)]));
}

await checkOnce("format", keys, async (due) => {
  const failing = new Set<string>();
  for (const path of due) {
    const options = await prettier.resolveConfig(join(ROOT, path));
    if (!(await prettier.check(read(path), { ...options, filepath: join(ROOT, path) }))) failing.add(path);
  }
  for (const path of failing) console.log(`${path} is not formatted: npx prettier --write ${path}`);
  return failing;
});
