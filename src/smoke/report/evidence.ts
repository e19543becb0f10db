import type { EvidenceFile, EvidenceOf, ObservedPath, SmokeStep } from "../../catalogue/evidence/evidence.ts";
import type { PathResult, StepResult } from "../path.ts";

/**
 * The content of `evidence.json`. A path that this run did not run, or that could not be judged because of the world,
 * is not evidence.
 */
export function smokeEvidence(
  results: readonly PathResult[],
  { observedAt, source }: Pick<EvidenceOf<"smoke">, "observedAt" | "source">,
): EvidenceFile & { readonly format: 1 } {
  const judged = results.filter(({ world, isRemembered }) => world === undefined && isRemembered !== true);
  const groups = Map.groupBy(judged, ({ path: { module, to }, kubernetes }) =>
    JSON.stringify([module, to.version, to.specHash, kubernetes]),
  );
  const evidence = [...groups.values()].map((ofVersion): EvidenceOf<"smoke"> => {
    const [{ path, kubernetes }] = ofVersion as [PathResult, ...PathResult[]];
    const { module, to } = path;
    const subject = { module, version: to.version, specHash: to.specHash };
    return { kind: "smoke", ...subject, observedAt, source, kubernetes, paths: ofVersion.map(observedPath) };
  });
  return { format: 1, evidence };
}

function observedPath({ path: { from }, pods, steps }: PathResult): ObservedPath {
  const named = (result: StepResult["result"]): readonly SmokeStep[] =>
    steps.filter((step) => step.result === result).map(({ step }) => step);
  return {
    ...(from && { from: from.version, fromSpecHash: from.specHash }),
    ...{ pods, passed: named("passed"), failed: named("failed"), notChecked: named("notChecked") },
  };
}
