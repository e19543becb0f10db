import { CODEOWNERS_PATH, codeownersText } from "../catalogue/codeowners.ts";
import type { Finding } from "../catalogue/finding.ts";
import { placeOf, type Place } from "../catalogue/paths.ts";
import type { SchemaKind } from "../catalogue/schema.ts";
import type { SnapshotFile } from "../catalogue/snapshot.ts";
import { readYaml } from "../catalogue/yaml.ts";
import { quoteTexts } from "../catalogue/yamlQuote.ts";
import type { Context } from "./context.ts";
import { fixTemplate } from "./fixTemplate.ts";

/** The new text of a file. */
export interface Fix {
  readonly path: string;
  readonly text: string;
}

const QUOTABLE = "yaml-ambiguous";
const PLACED: ReadonlySet<string> = new Set([
  "place-name",
  "place-channel",
  "place-module",
  "template-version-copy",
  "template-namespace",
]);

/** Whether `fixesOf` may have something to say to a finding. */
export function isMechanical({ rule }: Finding): boolean {
  return rule === QUOTABLE || rule === "ownership-codeowners" || PLACED.has(rule);
}

/**
 * The files that mend what is mechanical of `findings`: what has one right value, which the rest of the repository says.
 * Comments, order and layout stay. `spec.version` is never touched.
 *
 * Takes:  `files`, the files of the head that have such findings.
 * Gives:  nothing for a file that is right already, so that a second run changes nothing. What the rules could not see
 *         behind a file that was unreadable comes to light in the next run.
 */
export function fixesOf(
  context: Context,
  findings: readonly Finding[],
  files: ReadonlyMap<string, SnapshotFile>,
): readonly Fix[] {
  const byFile = Map.groupBy(findings.filter(isMechanical), ({ file }) => file);
  return [...byFile].flatMap(([path, inFile]): readonly Fix[] => {
    if (path === CODEOWNERS_PATH) return [{ path, text: codeowners(context) }];
    const content = files.get(path);
    if (content?.kind !== "bytes") return [];
    const text = new TextDecoder().decode(content.bytes);
    const mended = withUnixLines(text, (lines) => mend(path, lines, inFile));
    return mended === text ? [] : [{ path, text: mended }];
  });
}

function codeowners({ head, facts }: Context): string {
  const found = facts.codeowners ?? "";
  const wanted = codeownersText(head, found.replaceAll("\r\n", "\n"));
  return found.includes("\r\n") ? wanted.replaceAll("\n", "\r\n") : wanted;
}

function mend(path: string, text: string, findings: readonly Finding[]): string {
  const place = placeOf(path);
  const kind = place && schemaOf(place);
  if (kind === undefined) return text;
  const quoted = findings.some(({ rule }) => rule === QUOTABLE) ? quoteTexts(text, kind) : text;
  const reading = readYaml(path, { kind: "bytes", bytes: Buffer.from(quoted) });
  return kind === "moduleTemplate" && reading.kind === "read" ? fixTemplate(path, quoted, reading.file.value) : quoted;
}

function schemaOf(place: Place): SchemaKind | undefined {
  switch (place.kind) {
    case "settings":
    case "module":
    case "holds":
    case "hotfixes":
      return place.kind;
    case "policy":
      return "channel";
    case "channel-template":
    case "version-template":
      return "moduleTemplate";
    case "stray":
    case "folder":
      return undefined;
  }
}

/** Edits `text` with line feeds only, and puts its own line ends back. A text that mixes them stays as it is. */
function withUnixLines(text: string, editText: (text: string) => string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.replaceAll("\r\n", "\n");
  if (lines.replaceAll("\n", end) !== text) return text;
  const isClosed = lines.endsWith("\n");
  const edited = editText(isClosed ? lines : `${lines}\n`);
  return (isClosed ? edited : edited.slice(0, -1)).replaceAll("\n", end);
}
