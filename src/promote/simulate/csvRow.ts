import { CHANNEL_NAME_RULE, parseChannelName, type ChannelName, type ModuleName } from "../../catalogue/names.ts";

import { parseVersion, VERSION_RULE, type ModuleVersion } from "../../catalogue/version.ts";

/** The columns that a history needs. `from_version` only confirms it; other columns are ignored. */
export const NEEDED_COLUMNS = ["commit_date", "commit", "module", "channel", "to_version"] as const;

/** A row as written: column to text, without blanks around it. */
export interface RawRow {
  readonly line: number;
  readonly fields: ReadonlyMap<string, string>;
}

/** One change of the version of a module in a channel. */
export interface CsvRow {
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

/** A row, or why it cannot be used; half a sentence. */
export type RowReading =
  { readonly kind: "row"; readonly row: CsvRow } | { readonly kind: "unusable"; readonly why: string };

/** Reads a row as a change. */
export function readRow({ line, fields }: RawRow): RowReading {
  const missing = NEEDED_COLUMNS.find((column) => fields.get(column) === undefined);
  if (missing !== undefined) return unusable(`it has no ${missing}`);
  const text = (column: string): string => fields.get(column) ?? "";
  const atMs = INSTANT.test(text("commit_date")) ? Date.parse(text("commit_date")) : Number.NaN;
  if (Number.isNaN(atMs)) return unusable(`"${text("commit_date")}" is not an instant with a zone`);
  if (text("commit") === "") return unusable("it names no commit");
  const module = text("module");
  if (!MODULE.test(module)) return unusable(`"${module}" is not a module name`);
  const channel = parseChannelName(text("channel"));
  if (channel === undefined) return unusable(`"${text("channel")}" is not a channel name (${CHANNEL_NAME_RULE})`);
  const [from, written] = [withoutPrefix(text("from_version")), text("to_version")];
  const to = parseVersion(withoutPrefix(written));
  if (to === undefined && written !== "") return unusable(`"${written}" is not a version (${VERSION_RULE})`);
  const row = {
    line,
    atMs,
    commit: text("commit"),
    module: module as ModuleName,
    channel,
    from,
    to,
    hadPrefix: to !== undefined && written !== to,
  };
  return { kind: "row", row };
}

function unusable(why: string): RowReading {
  return { kind: "unusable", why };
}

/**
 * History contains names that the CRDs have refused since, such as `cluster-ip`. A simulation accepts them; they reach
 * neither a catalogue nor a cluster from here.
 */
const MODULE = /^[a-z][-a-z0-9]{0,63}$/;

/** Also accepts the format of Git: `2024-03-07 15:12:58 +0100`. An instant without a zone could be any of 26 hours. */
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|[+-]\d\d:?\d\d)$/;

function withoutPrefix(version: string): string {
  return version.replace(/^v(?=\d)/, "");
}
