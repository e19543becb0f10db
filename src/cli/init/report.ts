import type { Step } from "../../catalogue/init/steps.ts";
import { counted } from "../../catalogue/counted.ts";
import type { Output } from "../output.ts";

/** What `init` did, and what comes next. */
export interface InitResult {
  /** Paths, in the order in which they were written. */
  readonly written: readonly string[];
  /** What was there already. */
  readonly present: readonly string[];
  readonly steps: readonly Step[];
}

/** What `init` did, as people read it: where files are many, the folder that they are in. */
export function initText({ written, present, steps }: InitResult, output: Output): string {
  const lines = [
    ...grouped(written).map((text) => `${output.paint("good", "written")}  ${text}`),
    ...grouped(present).map((text) => `${output.paint("quiet", "there")}    ${text}`),
    "",
    "Next:",
    ...stepLines(steps, output),
  ];
  return lines.join("\n");
}

/** Files of a module are counted; all others are named. */
function grouped(paths: readonly string[]): readonly string[] {
  const groups = Map.groupBy(paths, (path) => /^modules\/[^/]+\//.exec(path)?.[0] ?? path);
  return [...groups].map(([name, members]) =>
    name.endsWith("/") ? `${name} (${counted(members.length, "file")})` : name,
  );
}

function stepLines(steps: readonly Step[], output: Output): readonly string[] {
  return steps.flatMap(({ command, because }) => [
    ...(because === "" ? [] : [`  # ${because}`].map((text) => output.paint("quiet", text))),
    `  ${output.paint("strong", command)}`,
  ]);
}

/** What `init` did, as JSON; schemas/output/init.schema.json. */
export function initItems({ written, present, steps }: InitResult): readonly object[] {
  return [
    ...written.map((path) => ({ kind: "written", path })),
    ...present.map((path) => ({ kind: "present", path })),
    ...steps.map((step) => ({ kind: "step", ...step })),
  ];
}
