import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { parseChannelName, parseModuleName, type ChannelName, type ModuleName } from "../../../src/catalogue/names.ts";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { readHistoryCsv, type HistoryCsv } from "../../../src/promote/simulate/historyCsv.ts";
import type { ReplayInput } from "../../../src/promote/simulate/replayInput.ts";

/** The real history of kyma-project's channels, if it is next to this repository. */
export const HISTORY: string = join(
  import.meta.dirname,
  "../../../../shared/kyma-data/channel-history/channel-history.csv",
);

/** The header of a table. */
export const HEADER = "commit_date,commit,source_file,module,channel,from_version,to_version";

/** A channel by its name. */
export function channel(text: string): ChannelName {
  const name = parseChannelName(text);
  if (name === undefined) throw new Error(`${text} is not a channel`);
  return name;
}

/** A module by its name. */
export function module(text: string): ModuleName {
  const name = parseModuleName(text);
  if (name === undefined) throw new Error(`${text} is not a module`);
  return name;
}

/** Reads a table; the content of a version is named after it. */
export function readText(text: string): HistoryCsv {
  return readHistoryCsv("history.csv", Buffer.from(text), (name, version) => `${name}@${version}`);
}

/** The timeline of a table, which must be valid. */
export function inputOf(text: string): ReplayInput {
  const reading = readText(text);
  if (reading.kind === "refused") throw new Error(reading.why);
  return reading.input;
}

/** A table: a row is `day module channel version`, with the day of January 2024, one commit a day. */
export function table(...rows: readonly string[]): string {
  const lines = rows.map((row) => {
    const [day = "", name = "", where = "", version = ""] = row.split(" ");
    return `2024-01-${day}T00:00:00Z,commit-${day},model.json,${name},${where},,${version}`;
  });
  return [HEADER, ...lines].join("\n");
}

/** The history of the real channels; skips the test without it. */
export function realTimeline(context: TestContext): ReplayInput {
  if (!existsSync(HISTORY)) return context.skip("there is no ../shared/kyma-data beside this repository");
  return inputOf(readFileSync(HISTORY, "utf8"));
}

/** The history of one module, which must exist. */
export function historyOf(input: ReplayInput, name: string): ModuleHistory {
  const history = input.modules.get(module(name));
  if (history === undefined) throw new Error(`nothing is known of ${name}`);
  return history;
}
