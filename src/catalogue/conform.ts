import manifest from "../../package.json" with { type: "json" };
import type { HoldsFile, HotfixesFile, ModuleFile, PolicyFile } from "./draft.ts";
import type { EvidenceFile } from "./evidence/evidence.ts";
import { fieldAt } from "../document/fields.ts";
import type { Finding } from "../document/finding.ts";
import { validate } from "./schema.ts";
import type { SettingsFile } from "./settings.ts";
import type { ModuleTemplate } from "./template.ts";
import { locate, type YamlFile } from "../document/yaml/read.ts";

/** The value of a file, if it is valid against its schema; otherwise the findings. */
interface Conformity<T> {
  readonly value: T | undefined;
  readonly findings: readonly Finding[];
}

/** The type that each schema describes, limited to the fields that the catalogue reads. */
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

/** The part of a message for a `format` that is newer than this version of the program; `undefined` for other formats. */
export function newerFormat(format: unknown): string | undefined {
  if (!Number.isInteger(format) || Number(format) <= FORMAT) return undefined;
  return `format ${String(format)}, written for a newer version of kyma-modules: this is ${manifest.version}, which reads format ${String(FORMAT)}`;
}

/** The remedy for a newer format. */
export const UPDATE = "Update kyma-modules.";

/**
 * Validates `file` against the schema of `kind`. A file in a newer format gets one finding only, since its keys may have
 * another meaning. Never throws.
 */
export function conform<K extends keyof Conforming>(kind: K, file: YamlFile): Conformity<Conforming[K]> {
  const newer = kind === "moduleTemplate" ? undefined : newerFormat(fieldAt(file.value, ["format"]));
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
