const LINES = 12;
const LINE_LENGTH = 400;

/** What a log ends with, for a message: its last lines, or where a Go program panicked, the lines that say why. */
export function lastWords(log: string): string {
  const lines = log.trim().split("\n");
  const panic = lines.findIndex((line) => /^(panic|fatal error):/.test(line));
  const words = panic === -1 ? lines.slice(-LINES) : lines.slice(Math.max(0, panic - 2), panic + 1);
  return words.map((line) => line.slice(0, LINE_LENGTH)).join("\n");
}
