/** A word of a command that people copy, as a POSIX shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w./+,@%-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
