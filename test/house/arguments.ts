import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** What a script was called with: its arguments, or the exit code and the text with which it ends. */
export type Called<T extends ParseArgsOptionsConfig> =
  | ({ readonly kind: "run" } & ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>)
  | { readonly kind: "end"; readonly code: number; readonly text: string };

/** Reads the arguments of a script. `--help` and what it does not know end it with its usage, before it does anything. */
export function readArguments<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  usage: string,
  options: T,
): Called<T> {
  if (args.some((arg) => arg === "--help" || arg === "-h")) return { kind: "end", code: 0, text: usage };
  try {
    return { kind: "run", ...parseArgs({ args: [...args], options, allowPositionals: true }) };
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error)) throw error;
    // Node goes on with advice about its own syntax.
    return { kind: "end", code: 2, text: `error: ${error.message.split(". ", 1).join()}.\n${usage}` };
  }
}

/** Prints how a script ends: what was asked for to stdout, what is wrong to stderr. Gives the exit code. */
export function endWith({ code, text }: { readonly code: number; readonly text: string }): number {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return code;
}
