import { isDeepStrictEqual } from "node:util";
import { parse } from "../../catalogue/parse.ts";
import type { Run, Snapshot } from "../../ports.ts";
import { openSource } from "../compose/compose.ts";
import { clock } from "../compose/systems.ts";
import { openChanges } from "../compose/demo.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import type { Output } from "../terminal/output.ts";
import type { Journal, LookAccount } from "./journal.ts";
import { wantedOf, type DemoKeeper, type DemoTarget } from "./keeper.ts";
import { accountOfDeeds, accountOfFiles, changedText, lookLines } from "./report.ts";

/** How often to look at the files and report without a change, in milliseconds. */
const LOOK_MS = 1_000;

/** A demo whose control planes serve the catalogue. */
export interface Following {
  readonly wanted: DemoTarget;
  readonly files: Snapshot["files"];
  readonly keepers: readonly DemoKeeper[];
  readonly journal: Journal;
  /** Headings about events of control planes since the last look; removed once they are printed. */
  readonly incidents: string[];
}

/**
 * Keeps the control planes in sync with the files until `run` is aborted, and prints what their keepers do: a block for
 * each event.
 */
export async function follow(following: Following, output: Output, run: Run): Promise<void> {
  const { keepers, journal, incidents } = following;
  let { wanted, files } = following;
  for await (const _ of openChanges(wanted.repository, LOOK_MS, run)) {
    const startedMs = clock.nowMs();
    const snapshot = await openSource(wanted.repository, undefined).snapshot(isOfCatalogue, run);
    const changed = changedPaths(files, snapshot.files);
    const headings = [...(changed.length > 0 ? [changedText(changed)] : []), ...incidents.splice(0)];
    const accounts: LookAccount[] = [];
    if (changed.length > 0) {
      const parsing = parse(undefined, snapshot.files);
      files = snapshot.files;
      if (parsing.kind === "catalogue") wanted = await wantedOf(wanted.repository, parsing.catalogue, run);
      accounts.push(accountOfFiles(parsing.kind === "refused" ? parsing.findings : parsing.catalogue.findings, output));
    }
    if (headings.length > 0) {
      wanted = { ...wanted };
      await Promise.all(keepers.map((keeper) => keeper.serve(wanted, run)));
    }
    const deeds = keepers.map((keeper) => ({ name: keeper.landscape.name, done: keeper.take() }));
    accounts.push(...deeds.flatMap(({ name, done }) => accountOfDeeds(name, done, output)));
    const look = journal.look(accounts);
    if (headings.length > 0)
      sayBlock(headings.join("; "), lookLines(look, `after ${seconds(clock.nowMs() - startedMs)}`), output);
    else if (look.news.length > 0) {
      // The keepers did something without a change of files.
      const tookMs = Math.max(0, ...deeds.flatMap(({ done }) => done.map((deed) => deed.tookMs)));
      const subjects = look.news.map(({ subject }) => subject).join(", ");
      sayBlock(`on the control plane of ${subjects}`, lookLines(look, `after ${seconds(tookMs)}`), output);
    }
  }
}

function changedPaths(before: Snapshot["files"], after: Snapshot["files"]): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => !isDeepStrictEqual(before.get(path), after.get(path))).toSorted();
}

/** Prints an event: its time, its heading, and its results. */
export function sayBlock(heading: string, lines: readonly string[], output: Output): void {
  const time = new Date(clock.nowMs()).toTimeString().slice(0, "hh:mm:ss".length);
  output.say([`${time} ${output.paint("strong", heading)}`, ...lines.map((line) => `         ${line}`)].join("\n"));
}

/** A duration in seconds as text. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
