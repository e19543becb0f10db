import { isDeepStrictEqual } from "node:util";
import { parse } from "../../catalogue/parse.ts";
import { Fault, type Log, type Run, type Snapshot } from "../../ports.ts";
import { openSource } from "../compose/compose.ts";
import { clock } from "../compose/systems.ts";
import { openChanges, type EmbeddedLandscape } from "../compose/demo.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import type { Output } from "../terminal/output.ts";
import type { LookAccount, Journal } from "./journal.ts";
import { keepInSync, wantedOf, type DemoTarget } from "./keepInSync.ts";
import { accountOfFailure, accountOfFiles, accountOfSync, changedText, lookLines } from "./report.ts";

/** How long after a look without a change the files and the control planes are looked at again. Milliseconds. */
const LOOK_MS = 2_000;

/** A demo whose control planes serve the catalogue. */
export interface Following {
  readonly wanted: DemoTarget;
  readonly files: Snapshot["files"];
  readonly landscapes: readonly EmbeddedLandscape[];
  readonly journal: Journal;
  /** Headings of what happened to control planes since the last look; taken from here once they are told. */
  readonly incidents: string[];
}

/**
 * Keeps the control planes as the files say until `run` is aborted: looks at the files when one is saved, and at the
 * control planes every other second. Each event is told as one block; where nothing happened nothing is said.
 */
export async function follow(following: Following, output: Output, run: Run): Promise<void> {
  const { landscapes, journal, incidents } = following;
  let { wanted, files } = following;
  for await (const _ of openChanges(wanted.repository, LOOK_MS, run)) {
    const startedMs = clock.nowMs();
    const snapshot = await openSource(wanted.repository, undefined).snapshot(isOfCatalogue, run);
    const changed = changedPaths(files, snapshot.files);
    const accounts: LookAccount[] = [];
    if (changed.length > 0) {
      const parsing = parse(undefined, snapshot.files);
      files = snapshot.files;
      if (parsing.kind === "catalogue") wanted = await wantedOf(wanted.repository, parsing.catalogue, run);
      accounts.push(accountOfFiles(parsing.kind === "refused" ? parsing.findings : parsing.catalogue.findings, output));
    }
    accounts.push(...(await Promise.all(landscapes.map((landscape) => lookAt(landscape, wanted, output, run)))));
    const headings = [...(changed.length > 0 ? [changedText(changed)] : []), ...incidents.splice(0)];
    const look = journal.look(accounts);
    if (headings.length === 0 && look.news.length === 0) continue;
    const where = `on the control plane of ${look.news.map(({ subject }) => subject).join(", ")}`;
    const took = `after ${seconds(clock.nowMs() - startedMs)}`;
    sayBlock(headings.join("; ") || where, lookLines(look, took), output);
  }
}

/** One control plane that fails ends nothing: the next look tries again. What is tried again meanwhile is not an event. */
async function lookAt(
  landscape: EmbeddedLandscape,
  wanted: DemoTarget,
  output: Output,
  run: Run,
): Promise<LookAccount> {
  const { log } = run;
  const quiet: Log = {
    ...log,
    warn: (message, fields) => {
      log.info(message, fields);
    },
  };
  try {
    return accountOfSync(landscape.name, await keepInSync(wanted, landscape, { ...run, log: quiet }), output);
  } catch (error) {
    if (run.signal.aborted || !(error instanceof Fault)) throw error;
    return accountOfFailure(landscape.name, error.message);
  }
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
