import { readYaml, type YamlReading } from "../../../src/document/yaml/read.ts";
import { fileOf } from "../../catalogue/repository.ts";

/** `<line>:<column> <rule>` of each finding; nothing for a file that is read. */
export function problems(reading: YamlReading): readonly string[] {
  return reading.kind === "read" ? [] : reading.findings.map(({ line, column, rule }) => `${line}:${column} ${rule}`);
}

/** Reads a text as the file `a.yaml`. */
export const read = (text: string | Uint8Array): YamlReading => readYaml("a.yaml", fileOf(text));
