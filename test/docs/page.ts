import { matches } from "./volatile.ts";

/** A command of a page, and what the page shows under it. */
export interface Step {
  /** May have several lines. `^C` interrupts what runs; an empty one waits for more of what runs. */
  readonly command: string;
  readonly shown: string;
}

/** A fenced block of a page that shows a terminal. */
export interface Block {
  /** Counted from 1. */
  readonly line: number;
  /** Which terminal of the reader it is; an empty name is the first one. */
  readonly terminal: string;
  /** The command goes on running after this text. */
  readonly until?: RegExp;
  /** Why no test can run it. */
  readonly noRun?: string;
  readonly steps: readonly Step[];
  /** The block as the page has it, without its fences. */
  readonly text: string;
}

const FENCED = /^```console(.*)\n([^]*?)\n?^```$/gm;

/** The blocks of a page that show a terminal, from top to bottom. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(FENCED)].map(({ 1: info = "", 2: text = "", index }) => {
    const until = attribute(info, "until");
    const noRun = info.includes(" no-run") ? (attribute(info, "reason") ?? "") : undefined;
    return {
      line: page.slice(0, index).split("\n").length,
      terminal: attribute(info, "terminal") ?? "",
      ...(until !== undefined && { until: new RegExp(until) }),
      ...(noRun !== undefined && { noRun }),
      steps: stepsOf(text),
      text,
    };
  });
}

/** The page with other texts in its blocks, one for each. */
export function withBlocks(page: string, texts: readonly string[]): string {
  let index = 0;
  return page.replace(FENCED, (_, info: string, text: string) => {
    const written = texts[index++] ?? text;
    return `\`\`\`console${info}\n${written === "" ? "" : `${written}\n`}\`\`\``;
  });
}

/** The text of a block whose steps printed `printed`: what the page shows, as long as that is still true. */
export function textOf(steps: readonly Step[], printed: readonly string[]): string {
  return steps
    .flatMap(({ command, shown }, index) => {
      const output = (printed[index] ?? "").trimEnd();
      return [prompted(command), matches(shown, output) ? shown : output].filter((text) => text !== "");
    })
    .join("\n");
}

function attribute(info: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(info)?.[1];
}

function stepsOf(text: string): readonly Step[] {
  return text.split(/^(?=\$ |\^C$)/m).map((part) => {
    const [, prompt = "", rest = ""] = /^((?:\$ .*(?:\n> .*)*|\^C)?)\n?([^]*)$/.exec(part) ?? [];
    return { command: prompt.replace(/^[$>] /gm, ""), shown: rest.trimEnd() };
  });
}

function prompted(command: string): string {
  if (command === "" || command === "^C") return command;
  return `$ ${command.replaceAll("\n", "\n> ")}`;
}
