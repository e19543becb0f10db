/** What differs from run to run, and so may differ from what a page shows. */
const VOLATILE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["instant", /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g],
  ["time", /\b\d\d:\d\d:\d\d\b/g],
  ["commit", /\b(?:[0-9a-f]{40}|[0-9a-f]{10})\b/g],
  ["port", /(?<=\b127\.0\.0\.1:)\d{5}\b/g],
  ["seconds", /\b\d+\.\d+ s\b/g],
  // what has passed since the sample was committed, or since a command of the page; what a policy asks for is compared
  ["age", /\b(?:\d{3,}d(?: \d+h)?|\d+m(?: \d+s)?|\d+s)\b/g],
];

/** Stands in a page for any number of lines that it leaves out. */
const LEFT_OUT = "…";

/** Whether `printed` is what `shown` says, apart from what is volatile or left out. */
export function matches(shown: string, printed: string): boolean {
  return fits(constant(shown).split("\n"), constant(printed).split("\n"));
}

function fits([line, ...others]: readonly string[], printed: readonly string[]): boolean {
  if (line === undefined) return printed.length === 0;
  if (line === LEFT_OUT) return [...printed.keys(), printed.length].some((count) => fits(others, printed.slice(count)));
  return line === printed[0] && fits(others, printed.slice(1));
}

/** A text with a name in place of all that is volatile; the columns of a table are as wide as what they hold. */
function constant(text: string): string {
  const named = VOLATILE.reduce((sum, [name, pattern]) => sum.replace(pattern, `<${name}>`), text);
  return named.replace(/(?<=\S) {2,}/g, "  ");
}
