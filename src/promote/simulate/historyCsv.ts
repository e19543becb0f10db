import { parse } from "csv-parse/sync";
import { readInstant } from "../../document/times.ts";
import type { Finding, Severity } from "../../document/finding.ts";
import { CHANNEL_NAME_RULE, parseChannelName, type ChannelName, type ModuleName } from "../../catalogue/names.ts";
import { parseVersion, VERSION_RULE, type ModuleVersion } from "../../catalogue/version.ts";
import type { Revision, ServedState } from "../../catalogue/history/history.ts";
import { GAP_MS, type ReplayInput } from "./replayInput.ts";

/** A history from a table, or why the table cannot be used: a full sentence. */
export type HistoryCsv =
  { readonly kind: "input"; readonly input: ReplayInput } | { readonly kind: "refused"; readonly why: string };

/** The `specHash` of a version's content, which a table does not have. */
type HashOf = (module: ModuleName, version: ModuleVersion) => string;

/**
 * Reads a table of changes of channels: one line per commit, module and channel, with the new version.
 *
 * The table was made from snapshots of a file, so it is read leniently: rows that cannot be used are left out and
 * reported. Only a file without the header, or without a usable row, is refused.
 */
export function readHistoryCsv(file: string, content: Uint8Array, hashOf: HashOf): HistoryCsv {
  const { records, findings: broken } = readRecords(file, content);
  const header = (records[0]?.cells ?? []).map((cell) => cell.toLowerCase());
  const missing = NEEDED_COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    const why = `${file} is not a channel history: its first line must name the columns ${NEEDED_COLUMNS.join(", ")}, and it lacks ${missing.join(", ")}.`;
    return { kind: "refused", why };
  }
  const notes = new Notes(file, broken);
  if (!header.includes("from_version"))
    notes.add(1, "column", "There is no column from_version, so missing rows cannot be detected.");
  const rows = records.slice(1).flatMap(({ line, cells }) => {
    const fields = new Map(cells.map((cell, index) => [header[index] ?? "", cell]));
    return usable({ line, fields }, notes);
  });
  const ordered = inOrder(rows, notes);
  const modules = new Map(
    [...Map.groupBy(ordered, ({ row }) => row.module)].sort().map(([module, changes]) => {
      const byChannel = [...Map.groupBy(changes, ({ row }) => row.channel)].sort();
      const served = new Map(byChannel.map(([channel, own]) => [channel, csvStates(own, hashOf, notes)]));
      return [module, { served: new Map<ChannelName, readonly ServedState[]>(served), holds: [], hotfixes: [] }];
    }),
  );
  const findings = notes.all.toSorted((a, b) => a.line - b.line);
  if (ordered.length === 0) {
    const [first] = findings;
    const why = first === undefined ? "" : ` Line ${first.line}: ${first.message}`;
    return { kind: "refused", why: `${file} is not a channel history: no row of it can be used.${why}` };
  }
  const commits = [...new Set(ordered.map(({ revision }) => revision))];
  const gaps = commits.flatMap(({ atMs, commit }, index) => {
    const startMs = commits[index - 1]?.atMs ?? atMs;
    return atMs - startMs >= GAP_MS ? [{ startMs, endMs: atMs, commit }] : [];
  });
  return { kind: "input", input: { source: file, modules, findings, gaps } };
}

/** The columns that a history needs. `from_version` only confirms it; other columns are ignored. */
const NEEDED_COLUMNS = ["commit_date", "commit", "module", "channel", "to_version"] as const;

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of the table. A part that even a lenient parser cannot read is a finding. */
function readRecords(
  file: string,
  content: Uint8Array,
): { readonly records: readonly CsvRecord[]; readonly findings: readonly Finding[] } {
  const records: CsvRecord[] = [];
  const notes = new Notes(file, []);
  let seen = 0;
  parse(content, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
    on_record: (cells: readonly string[], { lines }) => {
      seen = lines;
      records.push({ line: lines, cells });
      return null;
    },
    on_skip: (error) => {
      notes.add(
        seen + 1,
        "row",
        `From here on it cannot be read (${error?.message ?? "no reason given"}) and is left out.`,
        "warning",
      );
      return undefined;
    },
  });
  return { records, findings: notes.all };
}

/** A row as written: column to text, without blanks around it. */
interface RawRow {
  readonly line: number;
  readonly fields: ReadonlyMap<string, string>;
}

/** One change of the version of a module in a channel. */
interface CsvRow {
  readonly line: number;
  readonly atMs: number;
  readonly commit: string;
  readonly module: ModuleName;
  readonly channel: ChannelName;
  /** The previous version according to the row, without a leading `v`; empty if the row does not name one. */
  readonly from: string;
  /** `undefined`: the channel no longer serves the module. */
  readonly to: ModuleVersion | undefined;
  /** Whether `to` was written with a leading `v`, as tags are. */
  readonly hadPrefix: boolean;
}

/** Reads a row as a change, or says why it cannot be used; half a sentence. */
function readRow({ line, fields }: RawRow): { readonly row: CsvRow } | { readonly why: string } {
  const missing = NEEDED_COLUMNS.find((column) => fields.get(column) === undefined);
  if (missing !== undefined) return { why: `it has no ${missing}` };
  const text = (column: string): string => fields.get(column) ?? "";
  const atMs = readInstant(text("commit_date"));
  if (atMs === undefined) return { why: `"${text("commit_date")}" is not an instant with a zone` };
  if (text("commit") === "") return { why: "it names no commit" };
  const module = text("module");
  if (!MODULE.test(module)) return { why: `"${module}" is not a module name` };
  const channel = parseChannelName(text("channel"));
  if (channel === undefined) return { why: `"${text("channel")}" is not a channel name (${CHANNEL_NAME_RULE})` };
  const [from, written] = [withoutPrefix(text("from_version")), text("to_version")];
  const to = parseVersion(withoutPrefix(written));
  if (to === undefined && written !== "") return { why: `"${written}" is not a version (${VERSION_RULE})` };
  const row: CsvRow = {
    line,
    atMs,
    commit: text("commit"),
    module: module as ModuleName,
    channel,
    from,
    to,
    hadPrefix: to !== undefined && written !== to,
  };
  return { row };
}

/**
 * History contains names that the CRDs have refused since, such as `cluster-ip`. A simulation accepts them; they reach
 * neither a catalogue nor a cluster from here.
 */
const MODULE = /^[a-z][-a-z0-9]{0,63}$/;

function withoutPrefix(version: string): string {
  return version.replace(/^v(?=\d)/, "");
}

function usable(raw: RawRow, notes: Notes): readonly CsvRow[] {
  const reading = readRow(raw);
  if ("why" in reading) {
    notes.add(raw.line, "row", `The row is left out: ${reading.why}.`, "warning");
    return [];
  }
  const { line, to, hadPrefix } = reading.row;
  if (hadPrefix) notes.add(line, "version-prefix", `The v of v${to ?? ""} is removed.`);
  return [reading.row];
}

interface Dated {
  readonly row: CsvRow;
  readonly revision: Revision;
}

/** The rows in order of time, each with its revision, without duplicates. */
function inOrder(rows: readonly CsvRow[], notes: Notes): readonly Dated[] {
  const late = rows.find(({ atMs }, index) => atMs < (rows[index - 1]?.atMs ?? atMs));
  if (late !== undefined)
    notes.add(late.line, "order", "From here on the rows are not in order of time; they are sorted.");
  const revisions = new Map<string, Dated>();
  const said = new Map<string, CsvRow>();
  return rows
    .toSorted((a, b) => a.atMs - b.atMs)
    .flatMap((row) => {
      const { commit, atMs, line, module, channel } = row;
      const key = `${commit} ${module} ${channel}`;
      const dated = revisions.get(commit) ?? { row, revision: { index: revisions.size, commit, atMs } };
      const earlier = dated.revision.atMs === atMs ? said.get(key) : dated.row;
      if (earlier !== undefined) {
        const how = earlier.to === row.to ? "repeats" : "contradicts";
        const does = earlier.atMs === atMs ? how : "contradicts the commit_date of";
        notes.add(line, "row", `The row is left out: it ${does} line ${earlier.line}, of the same commit.`, "warning");
        return [];
      }
      said.set(key, row);
      revisions.set(commit, dated);
      return [{ row, revision: dated.revision }];
    });
}

/** The states of one module in one channel. */
function csvStates(changes: readonly Dated[], hashOf: HashOf, notes: Notes): readonly ServedState[] {
  let before: ModuleVersion | undefined;
  return changes.flatMap(({ row: { line, module, channel, from, to }, revision }) => {
    if (from !== "" && from !== before) {
      const known = before ?? "no version";
      notes.add(
        line,
        "from-version",
        `The row says that ${channel} served ${from} of ${module} before, but the rows above have ${known}: some are missing.`,
      );
    }
    if (to === before) {
      notes.add(
        line,
        "row",
        `The row is left out: it changes nothing, ${channel} had ${to ?? "none"} of ${module} already.`,
      );
      return [];
    }
    before = to;
    const state = { revision, version: to, template: () => undefined };
    return [{ ...state, hash: () => (to === undefined ? "" : hashOf(module, to)) }];
  });
}

/** Collects findings about lines of one file. */
class Notes {
  readonly all: Finding[];
  readonly #file: string;

  constructor(file: string, before: readonly Finding[]) {
    this.#file = file;
    this.all = [...before];
  }

  add(line: number, about: string, message: string, severity: Severity = "note"): void {
    const remedy = severity === "note" ? "No action is needed." : "Correct the line if it is to count.";
    this.all.push({ rule: `history-csv-${about}`, severity, file: this.#file, line, column: 1, message, remedy });
  }
}
