import manifest from "../../package.json" with { type: "json" };
import type { HoldsFile, HotfixesFile, ModuleFile, PolicyFile } from "./draft.ts";
import type { EvidenceFile } from "./evidence/evidence.ts";
import type { Finding } from "../document/finding.ts";
import { validate } from "./schema.ts";
import type { SettingsFile } from "./settings.ts";
import type { ModuleTemplate } from "./template.ts";
import { locate, type YamlFile } from "../document/yaml/read.ts";

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

/** The `format` that this version reads and writes. */
const FORMAT = 1;

/** How messages tell people that something has the format of a later version than this one. */
export function newerFormat(format: unknown): string | undefined {
  if (!Number.isInteger(format) || Number(format) <= FORMAT) return undefined;
  return `format ${String(format)}, written for a newer version of kyma-modules: this is ${manifest.version}, which reads format ${String(FORMAT)}`;
}

/** How to be able to read a newer format. */
export const UPDATE = "Update kyma-modules.";

/**
 * Holds `file` against the schema of `kind`. Of a file in a newer format nothing else is said: its keys may mean
 * something else. Never throws.
 */
export function conform<K extends keyof Conforming>(kind: K, file: YamlFile): Conformity<Conforming[K]> {
  const newer = kind === "moduleTemplate" ? undefined : newerFormat(formatOf(file.value));
  if (newer !== undefined) {
    const position = locate(file, ["format"]);
    const about = { rule: "format-newer", severity: "error", file: file.path, ...position } as const;
    return { value: undefined, findings: [{ ...about, message: `The file is in ${newer}.`, remedy: UPDATE }] };
  }
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

function formatOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "format" in value ? value.format : undefined;
}
