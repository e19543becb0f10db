import { expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import { decideHotfix, type HotfixVerdict } from "../../../src/promote/intervention/hotfix.ts";
import type { VerdictFacts } from "../../../src/promote/verdict/subject.ts";
import { failing, install, ranOn } from "../smokePaths.ts";
import { day, hashOfVersion, historyOf, instant, ISTIO, plainFacts, subjectOf, version } from "../verdict/timeline.ts";

const ABOUT = { module: ISTIO, version: version("1.0.1"), specHash: hashOfVersion("1.0.1"), source: "run 7" };
const FAILED: Evidence = {
  ...{ kind: "smoke", ...ABOUT, observedAt: instant(1), kubernetes: "1.36.3" },
  paths: [failing(install())],
};
const PASSED: Evidence = { ...FAILED, observedAt: instant(2), ...ranOn(true) };
const REFUSED: Evidence = { kind: "approval", ...ABOUT, observedAt: instant(1), approved: false, by: "octocat" };

function hotfixOn(facts: Partial<VerdictFacts>, specHash: string | undefined = ABOUT.specHash): HotfixVerdict {
  const history = historyOf({ at: 0, fast: "1.0.0", regular: "1.0.0" });
  const request = {
    version: ABOUT.version,
    specHash,
    incident: "https://example.com/7",
    alsoFixedIn: [],
    by: "octocat",
  };
  return decideHotfix(subjectOf(), request, plainFacts(history, day(3), facts));
}

it.each<[fact: string, topic: string, facts: Partial<VerdictFacts>]>([
  ["a failed smoke test of its content", "smoke", { evidence: [FAILED] }],
  ["a refusal", "approval", { evidence: [REFUSED] }],
  ["evidence that cannot be read", "files", { damaged: [{ ...ABOUT, source: "evidence:x.json" }] }],
])("a hot-fix is blocked by %s", (_, topic, facts) => {
  const { kind, chosen } = hotfixOn(facts);

  expect([kind, chosen.reasons.map((one) => one.topic)]).toEqual(["blocked", ["hot-fix", topic]]);
  expect(chosen.reasons[1]?.remedy).toBeDefined();
});

it.each<[fact: string, evidence: readonly Evidence[]]>([
  ["a failure that a newer test lifts", [FAILED, PASSED]],
  ["a failure of another content", [{ ...FAILED, specHash: hashOfVersion("1.0.2") }]],
])("a hot-fix is not blocked by %s", (_, evidence) => {
  const { kind, chosen } = hotfixOn({ evidence });

  expect([kind, chosen.reasons.map((one) => one.topic)]).toEqual(["promote", ["hot-fix"]]);
});
