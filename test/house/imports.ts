import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import type { ICruiseOptions, ICruiseResult, IFlattenedRuleSet } from "dependency-cruiser";
import { root } from "./clone.ts";
import { checkWholeOnce, filesBelow } from "./passed.ts";

/** The import rules of `.dependency-cruiser.cjs`. */
interface Rules {
  readonly forbidden: readonly { readonly name: string }[];
  readonly options: ICruiseOptions;
}

const rules = createRequire(import.meta.url)(join(root, ".dependency-cruiser.cjs")) as Rules;

/** One import that breaks a rule. */
export interface Breach {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** What the import rules say of a tree. */
export interface Inspection {
  /** How many files were read; 0 means that nothing was inspected at all. */
  readonly modules: number;
  readonly breaches: readonly Breach[];
}

/** The names of all import rules. */
export const ruleNames: readonly string[] = rules.forbidden.map((rule) => rule.name);

/** Holds the import rules against `src/` in `folder`, with this repository's tsconfig.json and packages. */
export async function inspect(folder: string): Promise<Inspection> {
  // Loaded here, since a tree that passed before needs neither.
  const { cruise } = await import("dependency-cruiser");
  const { default: extractTSConfig } = await import("dependency-cruiser/config-utl/extract-ts-config");
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { output } = await cruise(
      ["src"],
      {
        ...rules.options,
        tsConfig: { fileName: join(root, "tsconfig.json") },
        ruleSet: { forbidden: [...rules.forbidden] } as IFlattenedRuleSet,
        validate: true,
      },
      {},
      { tsConfig: extractTSConfig(join(root, "tsconfig.json")) },
    );
    const { modules, summary } = output as ICruiseResult;
    const breaches = summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
    return { modules: modules.filter(({ source }) => source.startsWith("src/")).length, breaches };
  } finally {
    process.chdir(before);
  }
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? root);
  const settings = [".dependency-cruiser.cjs", "package-lock.json", "tsconfig.json", "test/house/imports.ts"];
  const sources = filesBelow(join(folder, "src")).map((path) => relative(root, join(folder, "src", path)));
  await checkWholeOnce("imports", [...settings, ...sources], async () => {
    const { modules, breaches } = await inspect(folder);
    for (const { rule, from, to } of breaches) console.log(`${rule}: ${from} → ${to}`);
    console.log(`${modules} modules inspected, ${breaches.length} imports against the rules`);
    return modules > 0 && breaches.length === 0;
  });
}
