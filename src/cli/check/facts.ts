import type { ReportFacts } from "../../check/report/reportFacts.ts";
import type { CheckResult } from "../../check/result.ts";
import { fileText } from "../../document/snapshot.ts";
import type { Run, Source } from "../../ports.ts";
import type { CheckPorts } from "../compose/compose.ts";

/** What a command knows of the check that it ran. */
interface Circumstances {
  /** The version of this program. */
  readonly version: string;
  /** Unix milliseconds. */
  readonly startedMs: number;
  /** Loose files were named as they lie from here, whatever the repository. */
  readonly loose: boolean;
}

/** What the reports of a result say beside it; the files with findings are read from `head` once. */
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
