import { parseDocument, isScalar } from "yaml";
import type { Channel } from "../../catalogue/catalogue.ts";
import { conform } from "../../catalogue/conform.ts";
import type { PolicyFile } from "../../catalogue/draft.ts";
import { LEVELS } from "../../catalogue/policy.ts";
import { applySplices } from "../../document/yaml/edit.ts";
import { readYaml, type YamlFile } from "../../document/yaml/read.ts";

/** A policy with changed numbers. */
export interface EditedPolicy {
  readonly fields: readonly TriedField[];
  /** The file to commit; `undefined` if a field is invalid. */
  readonly tried: { readonly file: YamlFile; readonly value: PolicyFile } | undefined;
  /** Whether a field differs from the file. */
  readonly isChanged: boolean;
}

/** A number to try. */
export interface TriedField extends PolicyField {
  readonly text: string;
  /** Why it is invalid, and what to write; `undefined` if it is valid. */
  readonly problem: string | undefined;
}

/** Writes the numbers of a query into the policy of a channel, and validates each field. */
export function tryPolicy(channel: Channel, query: URLSearchParams): EditedPolicy {
  const { file } = channel;
  const wanted = policyFields(channel).map((field) => ({
    ...field,
    text: (query.get(field.name) ?? field.said).trim(),
  }));
  const fields = wanted.map((field) => ({ ...field, problem: fieldProblem(file, field) }));
  const changed = wanted.filter(({ text, said }) => text !== said);
  const tried = fields.some(({ problem }) => problem !== undefined) ? undefined : readPolicy(file, changed);
  return { fields, tried: tried && "value" in tried ? tried : undefined, isChanged: changed.length > 0 };
}

type Change = Pick<TriedField, "path" | "text">;

/** The problem that the schema finds if only this field is changed. */
function fieldProblem(file: YamlFile, field: TriedFieldText): string | undefined {
  if (field.text === field.said) return undefined;
  const read = readPolicy(file, [field]);
  return "value" in read ? undefined : read.problem;
}

type TriedFieldText = Omit<TriedField, "problem">;

type ReadPolicy = { readonly file: YamlFile; readonly value: PolicyFile } | { readonly problem: string };

function readPolicy(file: YamlFile, changes: readonly Change[]): ReadPolicy {
  const text = textWith(file.text, changes);
  const reading = readYaml(file.path, { kind: "bytes", bytes: Buffer.from(text) });
  const { value, findings } =
    reading.kind === "read" ? conform("channel", reading.file) : { value: undefined, findings: reading.findings };
  if (reading.kind === "read" && value !== undefined) return { file: reading.file, value };
  const [first] = findings;
  return { problem: first === undefined ? "" : `${first.message} ${first.remedy}` };
}

/**
 * The text of a file with these values. Existing values are replaced in place. If a field is added or removed, the whole
 * file is written again, with its comments.
 */
function textWith(text: string, changes: readonly Change[]): string {
  const document = parseDocument(text);
  const nodes = changes.map(({ path }) => document.getIn(path, true));
  const splices = changes.flatMap(({ text: put }, place) => {
    const node = nodes[place];
    if (put === "" || !isScalar(node) || !node.range) return [];
    const [start, end] = node.range;
    // Without quotes only if every reader of YAML takes it for the same text.
    const isPlain = node.type === "PLAIN" && /^\d+[smhd]$/.test(put);
    return [{ start, end, text: isPlain ? put : JSON.stringify(put) }];
  });
  if (splices.length === changes.length) return applySplices(text, splices);
  for (const { path, text: put } of changes)
    if (put === "") document.deleteIn(path);
    else document.setIn(path, put);
  return document.toString({ lineWidth: 0 });
}

/** A number of a policy that can be tried. */
interface PolicyField {
  /** Its name in the query. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Its path in the file. */
  readonly path: readonly (string | number)[];
  /** Its value in the file; empty if not set. */
  readonly said: string;
}

/** The numbers that affect a replay, in the order of the file. */
function policyFields({ promotion: { soak = {}, windows = [] } }: Pick<Channel, "promotion">): readonly PolicyField[] {
  const soaks = LEVELS.map((level) => ({
    name: `soak.${level}`,
    label: `Soak of ${level === "first" ? "a first version" : `a ${level} step`}`,
    hint: "For example 12h or 7d; empty for no soak time",
    path: ["promotion", "soak", level],
    said: soak[level] ?? "",
  }));
  const openings = windows.flatMap(({ opens, for: length, timeZone }, place) => [
    {
      name: `windows.${place}.opens`,
      label: `Window ${place + 1} opens`,
      hint: `A cron expression, in ${timeZone}`,
      path: ["promotion", "windows", place, "opens"],
      said: opens,
    },
    {
      name: `windows.${place}.for`,
      label: `Window ${place + 1} stays open for`,
      hint: "For example 8h",
      path: ["promotion", "windows", place, "for"],
      said: length,
    },
  ]);
  return [...soaks, ...openings];
}
