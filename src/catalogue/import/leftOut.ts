import { FILE_START, type Finding } from "../../document/finding.ts";
import type { Incoming } from "./read.ts";
import type { SkippedInput, LeftOutReason } from "./result.ts";
import { validate, type SchemaKind } from "../schema.ts";
import { locate } from "../../document/yaml/read.ts";

/** Why an input is not taken. */
export interface ImportRefusal {
  readonly reason: LeftOutReason;
  readonly message: string;
}

/** Reports an input, or a part of it, as not taken. */
export function leave(
  { source }: Pick<Incoming, "source">,
  { reason, message }: ImportRefusal,
  more: Partial<Pick<SkippedInput, "path" | "problems">> = {},
): SkippedInput {
  return { source, reason, message, path: undefined, problems: [], ...more };
}

/** Whether a judgement is a refusal. */
export function isRefusal(judgement: unknown): judgement is ImportRefusal {
  return typeof judgement === "object" && judgement !== null && "reason" in judgement;
}

/** The problems of `object`, which is from `incoming`, with the schema of `kind`; with the lines of the input. */
export function schemaFindings(kind: SchemaKind, object: unknown, { source, file, at }: Incoming): readonly Finding[] {
  return validate(kind, object).map(({ path, message, remedy }) => {
    const position = file === undefined ? FILE_START : locate(file, [...at, ...path]);
    return { rule: "schema", severity: "error", file: source, ...position, message, remedy };
  });
}
