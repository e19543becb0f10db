import { isDeepStrictEqual } from "node:util";
import { parse } from "../../catalogue/parse.ts";
import type { Run, Snapshot } from "../../ports.ts";
import { openSource } from "../compose/compose.ts";
import { clock } from "../compose/systems.ts";
import { openChanges } from "../compose/demo.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import type { Output } from "../terminal/output.ts";
import type { Journal, JournalLook, LookAccount } from "./journal.ts";
import { wantedOf, type DemoDeed, type DemoKeeper, type DemoTarget } from "./keeper.ts";
import { accountOfDeeds, accountOfFiles, changedText, lookLines } from "./report.ts";

/** How long after a look without a change the files are looked at again, and what was done is told. Milliseconds. */
const LOOK_MS = 1_000;

/** A demo whose control planes serve the catalogue. */
export interface Following {
  readonly wanted: DemoTarget;
  readonly files: Snapshot["files"];
  readonly keepers: readonly DemoKeeper[];
  readonly journal: Journal;
  /** Headings of what happened to control planes since the last look; taken from here once they are told. */
  readonly incidents: string[];
}

/**
 * Has the control planes serve what the files say until `run` is aborted, and tells what their keepers do meanwhile. Each
 * event is told as one block; where nothing happened nothing is said.
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
    else if (look.news.length > 0)
      sayDeeds(
        look,
        deeds.flatMap(({ done }) => done),
        output,
      );
  }
}

/** What keepers did although no file changed. */
function sayDeeds(look: JournalLook, deeds: readonly DemoDeed[], output: Output): void {
  const tookMs = Math.max(0, ...deeds.map((deed) => deed.tookMs));
  const subjects = look.news.map(({ subject }) => subject).join(", ");
  sayBlock(`on the control plane of ${subjects}`, lookLines(look, `after ${seconds(tookMs)}`), output);
}

function changedPaths(before: Snapshot["files"], after: Snapshot["files"]): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => !isDeepStrictEqual(before.get(path), after.get(path))).toSorted();
}

/** One event: when it was told, what it is, and what comes of it. */
export function sayBlock(heading: string, lines: readonly string[], output: Output): void {
  const time = new Date(clock.nowMs()).toTimeString().slice(0, "hh:mm:ss".length);
  output.say([`${time} ${output.paint("strong", heading)}`, ...lines.map((line) => `         ${line}`)].join("\n"));
}

/** A time span as people read it. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
