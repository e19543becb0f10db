import type { HoldsFile, HotfixesFile, ModuleFile, PolicyFile } from "./draft.ts";
import type { EvidenceFile } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import { validate } from "./schema.ts";
import type { SettingsFile } from "./settings.ts";
import type { ModuleTemplate } from "./template.ts";
import { locate, type YamlFile } from "./yaml.ts";

/** The value of a file, if it is what its schema says, and what is wrong with it otherwise. */
export interface Conformity<T> {
  readonly value: T | undefined;
  readonly findings: readonly Finding[];
}

/** The type that each schema describes, as far as the catalogue reads it. */
export interface Conforming {
  readonly settings: SettingsFile;
  readonly channel: PolicyFile;
  readonly module: ModuleFile;
  readonly holds: HoldsFile;
  readonly hotfixes: HotfixesFile;
  readonly evidence: EvidenceFile;
  readonly moduleTemplate: ModuleTemplate;
}

/** Holds `file` against the schema of `kind`. Never throws. */
export function conform<K extends keyof Conforming>(kind: K, file: YamlFile): Conformity<Conforming[K]> {
  const findings = validate(kind, file.value).map(({ path, message, remedy }): Finding => {
    const position = locate(file, path);
    const subject = path.length === 0 ? "The file" : path.join(".");
    return {
      rule: "schema",
      severity: "error",
      file: file.path,
      ...position,
      message: `${subject} ${message}.`,
      remedy,
    };
  });
  return findings.length === 0 ? { value: file.value as Conforming[K], findings } : { value: undefined, findings };
}
