/** `text` as one word of a POSIX shell command, quoted where necessary. */
export function shellWord(text: string): string {
  return /^[\w./+,@%-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
