import type { Argument, CommandUnknownOpts, Option } from "@commander-js/extra-typings";

/** A possible completion. */
interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** The completions of a word. */
interface Completion {
  readonly candidates: readonly Candidate[];
  /** What the shell completes when there are no candidates; `nospace` if the word is not complete yet. */
  readonly then: "nothing" | "nospace" | "files" | "folders";
}

/** Returns the names of a catalogue that begin with `prefix`. */
export type Names = (kind: NameKind, prefix: string) => Promise<readonly string[]>;

/** The kinds of names: of the catalogue, and `rule` of this program. */
export type NameKind = "module" | "module@version" | "module[@version]" | "channel" | "landscape" | Rendered | "rule";

/** The argument of `render`. */
type Rendered = "landscape|module@version|module@channel";

/** The kind of each placeholder in the help, such as `--channel <channel>` or `[module...]`. */
const KINDS: Readonly<Record<string, NameKind | "files" | "folders">> = {
  module: "module",
  "module@version": "module@version",
  "module[@version]": "module[@version]",
  channel: "channel",
  landscape: "landscape",
  "landscape|module@version|module@channel": "landscape|module@version|module@channel",
  rule: "rule",
  rules: "rule",
  file: "files",
  "file|url": "files",
  path: "files",
  dir: "folders",
};

/** The placeholders of comma-separated values. */
const LISTS: ReadonlySet<string> = new Set(["rules", "formats", "facts"]);

const NOTHING: Completion = { candidates: [], then: "nothing" };

/** Completes the last of `words`, which follow the name of the program. */
export async function complete(
  program: CommandUnknownOpts,
  words: readonly string[],
  names: Names,
): Promise<Completion> {
  const current = words.at(-1) ?? "";
  let standing: LinePosition = { command: program, option: undefined, position: 0, isLiteral: false, used: new Set() };
  for (const word of words.slice(0, -1)) standing = after(standing, word, program);
  const { command } = standing;
  if (command === undefined) return NOTHING;
  const taken = takenBy(standing, current, command);
  const inner = standing.position === 0 && standing.option === undefined ? commandCandidates(command) : [];
  if (taken !== undefined) return withWords(inner, current, await valueCandidates(taken.taker, taken.typed, names));
  if (current.startsWith("-") && !standing.isLiteral) return among(optionCandidates(command, standing.used), current);
  return among(inner, current);
}

/** Adds the words that are possible in the same place to a completion. */
function withWords(words: readonly Candidate[], prefix: string, completion: Completion): Completion {
  const { candidates, then } = among(words, prefix);
  return candidates.length === 0 ? completion : { candidates: [...candidates, ...completion.candidates], then };
}

/** The option or argument that takes a word, or its last part, as its value. */
interface Taken {
  readonly taker: Option | Argument;
  readonly typed: Typed;
}

function takenBy(
  { option, position, isLiteral }: LinePosition,
  word: string,
  command: CommandUnknownOpts,
): Taken | undefined {
  const typed = { before: "", text: word };
  const assigned = isLiteral ? undefined : assignedIn(word, command);
  if (assigned !== undefined) return assigned;
  const isOption = word.startsWith("-");
  if (option !== undefined && (option.required || !isOption)) return { taker: option, typed };
  const argument = isOption && !isLiteral ? undefined : argumentAt(command, position);
  return argument && { taker: argument, typed };
}

/** The option of `--option=VALUE`, and the typed part of its value. */
function assignedIn(word: string, command: CommandUnknownOpts): Taken | undefined {
  const [flag = "", ...value] = word.split("=");
  const option = value.length === 0 ? undefined : optionNamed(command, flag);
  return option && { taker: option, typed: { before: `${flag}=`, text: value.join("=") } };
}

/** The folder that `--repo` names in `words`. */
export function repositoryIn(words: readonly string[]): string {
  const at = words.lastIndexOf("--repo");
  const assigned = words.findLast((word) => word.startsWith("--repo="))?.slice("--repo=".length);
  return assigned ?? (at < 0 || at >= words.length - 2 ? undefined : words[at + 1]) ?? ".";
}

/** The parser state within a command line. */
interface LinePosition {
  /** `undefined` for an unknown command. */
  readonly command: CommandUnknownOpts | undefined;
  /** The option whose value comes next. */
  readonly option: Option | undefined;
  /** The number of arguments so far. */
  readonly position: number;
  /** Whether `--` ended the options. */
  readonly isLiteral: boolean;
  readonly used: ReadonlySet<string>;
}

function after(standing: LinePosition, word: string, program: CommandUnknownOpts): LinePosition {
  const { command, option, position, isLiteral } = standing;
  if (command === undefined) return standing;
  if (word.startsWith("-") && !isLiteral && option?.required !== true) return afterOption(standing, word, command);
  if (option !== undefined) return { ...standing, option: option.variadic ? option : undefined };
  const inner = commandNamed(standing, command, word);
  if (inner !== undefined || command === program) return { ...standing, command: inner };
  return { ...standing, position: position + 1 };
}

/** The command of a command, such as `pause` of `sync`. */
function commandNamed(
  { position, isLiteral }: LinePosition,
  { commands }: CommandUnknownOpts,
  word: string,
): CommandUnknownOpts | undefined {
  return position === 0 && !isLiteral ? commands.find((one) => one.name() === word) : undefined;
}

function afterOption(standing: LinePosition, word: string, command: CommandUnknownOpts): LinePosition {
  if (word === "--") return { ...standing, option: undefined, isLiteral: true };
  const named = optionNamed(command, word);
  const takesValue = named !== undefined && (named.required || named.optional);
  const used = new Set([...standing.used, word.split("=", 1).join()]);
  return { ...standing, option: takesValue ? named : undefined, used };
}

function optionNamed(command: CommandUnknownOpts, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

function argumentAt({ registeredArguments }: CommandUnknownOpts, position: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[position] ?? (last?.variadic === true ? last : undefined);
}

function commandCandidates(program: CommandUnknownOpts): readonly Candidate[] {
  const commands = program.createHelp().visibleCommands(program);
  return commands.map((command) => ({ word: command.name(), description: command.description() }));
}

/** The options to offer: an option is offered once, unless it may be repeated. */
function optionCandidates(command: CommandUnknownOpts, used: ReadonlySet<string>): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long, description }) => !used.has(long ?? "") || description.includes("may be repeated"))
    .map(({ long, description }) => ({ word: long ?? "", description }));
}

function among(all: readonly Candidate[], prefix: string): Completion {
  return { candidates: all.filter(({ word }) => word.startsWith(prefix)), then: "nothing" };
}

/** The typed part of a value, and the text before it in the same word. */
interface Typed {
  readonly before: string;
  readonly text: string;
}

async function valueCandidates(taker: Option | Argument, typed: Typed, names: Names): Promise<Completion> {
  const placeholder = "flags" in taker ? (/[<[]([^\]>.]+)/.exec(taker.flags)?.[1] ?? "") : taker.name();
  const kind = KINDS[placeholder];
  if (kind === "files" || kind === "folders") return { candidates: [], then: kind };
  const start = LISTS.has(placeholder) ? typed.text.lastIndexOf(",") + 1 : 0;
  const [before, text] = [typed.before + typed.text.slice(0, start), typed.text.slice(start)];
  const all = taker.argChoices ?? (kind === undefined ? [] : await names(kind, text));
  const words = all.filter((word) => word.startsWith(text)).map((word) => ({ word: before + word, description: "" }));
  return { candidates: words, then: words.every(({ word }) => word.endsWith("@")) ? "nospace" : "nothing" };
}
