import type { PathResult, StepName, StepResult } from "../path.ts";

/** What was observed of one version, on one version of Kubernetes. */
export interface SmokeEvidence {
  readonly kind: "smoke";
  readonly module: string;
  readonly version: string;
  readonly specHash: string;
  /** ISO 8601, with zone. */
  readonly observedAt: string;
  readonly source: string;
  readonly kubernetes: string;
  readonly paths: readonly SmokeEvidencePath[];
}

/** One path of it; without `from`, the install. */
export interface SmokeEvidencePath {
  readonly from?: string;
  readonly fromSpecHash?: string;
  readonly pods: boolean;
  readonly passed: readonly StepName[];
  readonly failed: readonly StepName[];
  readonly notChecked: readonly StepName[];
}

/** `evidence.json`. A path that this run did not run, or that the world kept from being judged, is evidence of nothing. */
export function evidenceOf(
  results: readonly PathResult[],
  { observedAt, source }: Pick<SmokeEvidence, "observedAt" | "source">,
): { readonly evidence: readonly SmokeEvidence[] } {
  const judged = results.filter(({ world, isRemembered }) => world === undefined && isRemembered !== true);
  const groups = Map.groupBy(judged, ({ path: { module, to }, kubernetes }) =>
    JSON.stringify([module, to.version, to.specHash, kubernetes]),
  );
  const evidence = [...groups.values()].map((ofVersion): SmokeEvidence => {
    const [{ path, kubernetes }] = ofVersion as [PathResult, ...PathResult[]];
    const { module, to } = path;
    const subject = { module, version: to.version, specHash: to.specHash };
    return { kind: "smoke", ...subject, observedAt, source, kubernetes, paths: ofVersion.map(pathOf) };
  });
  return { evidence };
}

function pathOf({ path: { from }, pods, steps }: PathResult): SmokeEvidencePath {
  const named = (result: StepResult["result"]): readonly StepName[] =>
    steps.filter((step) => step.result === result).map(({ step }) => step);
  return {
    ...(from && { from: from.version, fromSpecHash: from.specHash }),
    ...{ pods, passed: named("passed"), failed: named("failed"), notChecked: named("notChecked") },
  };
}
