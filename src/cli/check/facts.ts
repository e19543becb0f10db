import type { ReportFacts } from "../../check/report/reportFacts.ts";
import type { CheckResult } from "../../check/result.ts";
import { fileText } from "../../document/snapshot.ts";
import type { Run, Source } from "../../ports.ts";
import type { CheckPorts } from "../compose/compose.ts";

/** The circumstances of a check. */
interface Circumstances {
  /** The version of this program. */
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedMs: number;
  /** Whether paths are relative to the current directory instead of the repository. */
  readonly loose: boolean;
}

/** The facts that reports add to a result. Reads the files with findings from `head`. */
export async function reportFacts(
  { findings }: CheckResult,
  head: Source,
  { version, startedMs, loose }: Circumstances,
  ports: CheckPorts,
  run: Run,
): Promise<ReportFacts> {
  const named = new Set(findings.map(({ file }) => file));
  const { files } = await head.snapshot((path) => named.has(path), run);
  const decidedAt = ports.clock.nowMs();
  const pathPrefix = loose ? "" : await ports.gitPrefix(run);
  return {
    version,
    decidedAt,
    tookMs: decidedAt - startedMs,
    pathPrefix,
    sourceOf: (path) => fileText(files.get(path)),
  };
}
