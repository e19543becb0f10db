/**
 * `text` in lines of at most `width` characters, the first of them of `first`, broken at spaces. A longer word stands on a
 * line of its own; what begins with spaces goes on behind as many. Nothing is cut, and nothing is broken without an edge.
 */
export function wrap(text: string, width: number, first: number = width): readonly string[] {
  const [indent = ""] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = indent;
  for (const word of text.slice(indent.length).split(" ")) {
    const room = lines.length === 0 ? first : width;
    if (line !== indent && line.length + 1 + word.length > room) {
      lines.push(line);
      line = indent + word;
    } else line = line === indent ? line + word : `${line} ${word}`;
  }
  return [...lines, line];
}
