/** A format of a string that a pattern cannot express: its description for messages, and its test. */
interface TextFormat {
  readonly expected: string;
  /** Whether a text has the format. */
  readonly accepts: (text: string) => boolean;
}

const INSTANT =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Whether `text` is an instant with seconds and time zone, on a day that exists. */
export function isInstant(text: string): boolean {
  const parts = INSTANT.exec(text)?.groups;
  if (parts === undefined) return false;
  const month = Number(parts["month"]);
  const day = Number(parts["day"]);
  // JavaScript turns 30 February into a day of March: the month then differs.
  return new Date(Date.UTC(Number(parts["year"]), month - 1, day)).getUTCMonth() === month - 1 && day > 0;
}

function isTimeZone(text: string): boolean {
  // Intl accepts an offset such as +01:00, but an offset has no summer time.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

interface CronField {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const CRON_FIELDS: readonly CronField[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 7, names: DAYS },
];

function isCron(text: string): boolean {
  const parts = text.split(" ");
  return (
    parts.length >= CRON_FIELDS.length &&
    parts.every((part, index) => {
      const field = CRON_FIELDS[index];
      return field !== undefined && part.split(",").every((item) => isCronPart(item, field));
    })
  );
}

const CRON_PART = /^(?:\*|(?<from>[0-9A-Za-z]+)(?:-(?<to>[0-9A-Za-z]+))?)(?:\/[1-9]\d?)?$/;

function isCronPart(part: string, field: CronField): boolean {
  const match = CRON_PART.exec(part);
  if (match === null) return false;
  const from = match.groups?.["from"];
  if (from === undefined) return true;
  const first = cronValue(from, field);
  const last = cronValue(match.groups?.["to"] ?? from, field);
  return first >= field.least && last <= field.most && first <= last;
}

/** The number of a field; `NaN`, which is outside every range, for a text that is neither a number nor a name. */
function cronValue(text: string, { least, names }: CronField): number {
  const index = names.indexOf(text.toUpperCase());
  if (index >= 0) return least + index;
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

const CONTROL = /[\p{Cc}--[\x80-\x9f]]/v;
const SCHEME = /^[A-Za-z][-+.A-Za-z0-9]*:/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
// All characters above ASCII, the ASCII characters of RFC 3986, and " < > ] which Go accepts for old clients.
const HOST = /^(?:(?<literal>\[[^\]]*\])|(?:[^\0-\x20#%/:?@[\\^`{|}\x7f]|%[89A-Fa-f][0-9A-Fa-f])*)(?::\d*)?$/;
const USER = /^(?:[-._~!$&'()*+,;=:@A-Za-z0-9]|%[0-9A-Fa-f]{2})*$/;

/**
 * Whether the API server accepts `text` as a URI: `url.ParseRequestURI` of Go, which expects a scheme or a leading slash.
 *
 * Source: https://pkg.go.dev/net/url#ParseRequestURI
 */
function isUri(text: string): boolean {
  if (text === "*") return true;
  if (CONTROL.test(text)) return false;
  const scheme = SCHEME.exec(text)?.[0] ?? "";
  const rest = text.slice(scheme.length).replace(/\?.*$/s, "");
  return rest.startsWith("/") ? isPath(scheme, rest) : scheme !== "";
}

/** Two slashes begin a host only when they follow a scheme. */
function isPath(scheme: string, rest: string): boolean {
  if (scheme === "" || !rest.startsWith("//")) return !BAD_ESCAPE.test(rest);
  const end = `${rest}/`.indexOf("/", 2);
  return isAuthority(rest.slice(2, end)) && !BAD_ESCAPE.test(rest.slice(end));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  const host = HOST.exec(authority.slice(at + 1));
  if (host === null || !USER.test(authority.slice(0, Math.max(at, 0)))) return false;
  // For an address in brackets, only the part before its zone is checked.
  const literal = host.groups?.["literal"]?.replace(/%25.*(?=\])/, "");
  return literal === undefined || URL.canParse(`http://${literal}/`);
}

/** The formats that the schemas use. `date-time` is RFC 3339; `uri` has the meaning that it has in a CRD. */
export const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = {
  "date-time": { expected: "an instant with seconds and zone, such as 2026-12-18T08:30:00Z", accepts: isInstant },
  "iana-time-zone": { expected: "a time zone such as Europe/Berlin or UTC", accepts: isTimeZone },
  cron: { expected: 'five fields of cron (minute hour day month weekday), such as "0 8 * * 1-4"', accepts: isCron },
  uri: { expected: "an address such as https://example.org/file.yaml", accepts: isUri },
};
