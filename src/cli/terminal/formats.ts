import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { FormatTarget } from "./output.ts";

/** The formats of most commands. */
export const RESULT_FORMATS = ["text", "json"] as const;

/** The formats in which `check` reports. */
export const CHECK_FORMATS = ["text", "json", "github", "sarif", "junit"] as const;

/** One of `CHECK_FORMATS`. */
export type CheckFormat = (typeof CHECK_FORMATS)[number];

/** The formats in which `simulate` reports. */
export const PAGE_FORMATS = ["text", "json", "html"] as const;

/**
 * Parses `text,json=out.json,sarif=FILE`. Each format and each file may occur once, and one format may go to stdout.
 * Throws InvalidArgumentError, which the command line turns into a usage error.
 */
export function formatTargetsAmong<Name extends string>(
  formats: readonly Name[],
  text: string,
): readonly FormatTarget<Name>[] {
  const targets = text.split(",").map((part) => parseTarget(formats, part));
  const twice = repeated(targets.map(({ format }) => format));
  if (twice !== undefined) throw new InvalidArgumentError(`${twice} is named twice; name each format once.`);
  const printed = targets.filter(({ file }) => file === undefined);
  if (printed.length > 1) {
    const [first, second] = printed.map(({ format }) => format);
    throw new InvalidArgumentError(
      `${first ?? ""} and ${second ?? ""} would both be printed; give one of them a file: ${second ?? ""}=FILE.`,
    );
  }
  const shared = repeated(targets.flatMap(({ file }) => file ?? []));
  if (shared !== undefined) throw new InvalidArgumentError(`Two formats would be written into ${shared}.`);
  return targets;
}

function parseTarget<Name extends string>(formats: readonly Name[], text: string): FormatTarget<Name> {
  const [name = "", ...rest] = text.trim().split("=");
  const format = formats.find((one) => one === name);
  if (format === undefined) {
    throw new InvalidArgumentError(`There is no format "${name}". There are ${formats.join(", ")}.`);
  }
  if (rest.length === 0) return { format, file: undefined };
  const file = rest.join("=");
  if (file === "" || file === "-") {
    throw new InvalidArgumentError(`${format}= names no file. Omit the = to print it.`);
  }
  return { format, file };
}

function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, at) => texts.indexOf(text) < at);
}
