import type { Gathered } from "../../../src/promote/gather.ts";
import { type DashboardRow, dashboardRows } from "../../../src/promote/dashboardIssue/rows.ts";
import { allSubjects, type VerdictFacts } from "../../../src/promote/verdict/subject.ts";
import { catalogueOf, channelTemplate } from "../../catalogue/repository.ts";
import { day, historyOf, ISTIO, type Merge, plainFacts, SOAK } from "../verdict/timeline.ts";

/** Fast gets 1.2.0 on day 10, and regular, which serves 1.1.0, may have it on day 17. */
export const MERGES: readonly Merge[] = [
  { at: 0, fast: "1.1.0", regular: "1.1.0" },
  { at: 10, fast: "1.2.0" },
];

/** The gathered facts on istio in fast and regular after these merges, on day `at`. */
export function gatheredOn(at: number, merges: readonly Merge[], facts: Partial<VerdictFacts> = {}): Gathered {
  const served = (channel: "fast" | "regular"): string => merges.findLast((one) => one[channel])?.[channel] ?? "";
  const promotion = { soak: SOAK };
  const catalogue = catalogueOf({
    "kyma-modules.yaml": JSON.stringify({
      format: 1,
      landscapes: [{ name: "dev", controlPlane: { context: "kcp-dev" } }],
    }),
    "channels/fast.yaml": JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"] }),
    "channels/regular.yaml": JSON.stringify({ format: 1, follows: "fast", landscapes: ["dev"], promotion }),
    "channels/fast/istio.yaml": channelTemplate("fast", "istio", served("fast")),
    "channels/regular/istio.yaml": channelTemplate("regular", "istio", served("regular")),
  });
  const history = historyOf(...merges);
  const gathered: Partial<Gathered> = {
    catalogue,
    revision: "c".repeat(40),
    histories: { modules: [ISTIO], of: () => history },
    factsOf: () => plainFacts(history, day(at), facts),
    nowMs: day(at),
    subjects: allSubjects(catalogue),
    view: undefined,
  };
  return gathered as Gathered;
}

/** The rows of that day. */
export function rowsOn(
  at: number,
  merges: readonly Merge[],
  facts: Partial<VerdictFacts> = {},
): readonly DashboardRow[] {
  return dashboardRows(gatheredOn(at, merges, facts), new Map(), { seen: new Map() });
}

/** The row of istio in regular. */
export function rowOn(at: number, merges: readonly Merge[], facts: Partial<VerdictFacts> = {}): DashboardRow {
  const row = rowsOn(at, merges, facts).find(({ status }) => status.channel === "regular");
  if (row === undefined) throw new Error("there is no such row");
  return row;
}
