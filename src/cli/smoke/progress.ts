import { printable } from "../../document/printable.ts";
import { type PathResult, pathText, type SmokePath, stepsOf } from "../../smoke/path.ts";
import type { SmokeOptions } from "../../smoke/world.ts";
import { openLiveList } from "../terminal/liveList.ts";
import type { Output } from "../terminal/output.ts";
import { stepLine } from "./report.ts";

/** Reports the progress of paths. */
export interface Progress extends Pick<SmokeOptions, "onStep" | "onRetry" | "onPath"> {
  /** Ends the report. */
  close(): Promise<void>;
}

/** Prints a line for each finished step. */
export function plainProgress(output: Output): Progress {
  return {
    onStep: (path, result) => {
      output.say(stepLine(path, result, output));
    },
    onRetry: (path, why) => {
      output.say(`${pathText(path)}: ${retryText(why)}`);
    },
    onPath: () => undefined,
    close: () => Promise.resolve(),
  };
}

/**
 * Shows a list of the paths, each with its current step. The list is cleared at the end, because the report has
 * everything.
 */
export async function liveProgress(paths: readonly SmokePath[], concurrency: number): Promise<Progress> {
  const items = paths.map((key) => ({ key, group: key.module, title: pathText(key) }));
  const list = await openLiveList(items, concurrency);
  const over = new Map(paths.map((path) => [path, 0]));
  const trouble = new Map<SmokePath, string>();
  const goesOn = (path: SmokePath, steps: number): void => {
    const all = stepsOf(path);
    over.set(path, steps);
    const at = all[steps];
    if (at !== undefined) list.says(path, `${at}, ${steps + 1} of ${all.length}${trouble.get(path) ?? ""}`);
  };
  for (const path of paths) goesOn(path, 0);
  return {
    onStep: (path) => {
      goesOn(path, (over.get(path) ?? 0) + 1);
    },
    onRetry: (path, why) => {
      trouble.set(path, `; ${retryText(why)}`);
      goesOn(path, 0);
    },
    onPath: (result) => {
      list.ends(result.path, failureText(result));
    },
    close: () => list.close(),
  };
}

function retryText(why: string): string {
  return `the cluster failed, retrying once on another one: ${printable(why)}`;
}

function failureText({ path, steps, world }: PathResult): string | undefined {
  const failed = steps.find(({ result }) => result === "failed");
  if (failed !== undefined) return `${pathText(path)}: ${failed.step} failed`;
  return world === undefined ? undefined : `${pathText(path)}: not decided: ${printable(world)}`;
}
