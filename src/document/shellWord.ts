/** `text` as one word of a POSIX shell command, quoted where necessary. */
export function shellWord(text: string): string {
  return /^[\w./+,@%-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command for a POSIX shell. Its values become words, because names come from strangers. */
export function shellCommand(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: strings }, ...values.map(shellWord));
}
