import { describe, expect, it } from "vitest";
import type { ServedStep } from "../../../src/promote/timeline/timeline.ts";
import {
  examineClaim,
  type AtHand,
  type VerdictBlocker,
  type Recomputable,
} from "../../../src/promote/verdict/blocker.ts";
import { stepsAfter, trailers } from "./timelines.ts";

/** The claim of a promotion to 1.1.0 on the tenth day. */
function examined(body: string, evidence: readonly string[] = []): Recomputable | VerdictBlocker {
  const [step] = stepsAfter([
    { at: 0, fast: "1.0.0", regular: "1.0.0" },
    { at: 9, regular: "1.1.0", body },
  ]);
  if (step?.claim === undefined) throw new Error("it claims nothing");
  return examineClaim(step, step.claim, atHand(step, evidence));
}

function atHand({ revision }: ServedStep, evidence: readonly string[]): AtHand {
  const begin = { index: 0, commit: "c0", atMs: revision.atMs - 9 * 86_400_000 };
  return { revisions: new Map([begin, revision].map((one) => [one.commit, one])), evidence: new Set(evidence) };
}

describe("a claim", () => {
  it("can be repeated if its commit is known and nothing else is needed", () => {
    const found = examined(trailers("1.1.0"));

    expect(found).toMatchObject({ kind: "recomputable", decidedOn: { commit: "c0" } });
  });

  it("can be repeated in the second of its merge, with its evidence", () => {
    const body = trailers("1.1.0", { "Decided-At": "2026-01-10T00:00:00Z", Evidence: "sha256:2" });

    expect(examined(body, ["sha256:2"])).toMatchObject({ kind: "recomputable" });
  });

  it("differs if another version was served", () => {
    expect(examined(trailers("1.2.0"))).toEqual({
      kind: "differs",
      why: ["Its commit says that it promotes 1.2.0, but 1.1.0 was served then."],
    });
  });

  it("differs if it was merged before it was decided", () => {
    expect(examined(trailers("1.1.0", { "Decided-At": "2026-01-10T00:01:01Z" }))).toEqual({
      kind: "differs",
      why: ["It was merged at 2026-01-10T00:00:00Z, before it was decided, at 2026-01-10T00:01:01Z."],
    });
  });

  it("can be repeated if two clocks are up to a minute apart", () => {
    expect(examined(trailers("1.1.0", { "Decided-At": "2026-01-10T00:01:00Z" }))).toMatchObject({
      kind: "recomputable",
    });
  });

  it("differs if it was decided on a later commit, or on itself", () => {
    expect(examined(trailers("1.1.0", { "Decided-On": "c1" }))).toEqual({
      kind: "differs",
      why: ["It says that it was decided on c1, which did not come before it."],
    });
  });

  it("differs if it was decided on a foreign commit", () => {
    expect(examined(trailers("1.1.0", { "Decided-On": "f00" }))).toEqual({
      kind: "differs",
      why: ["It says that it was decided on f00, which is not a commit of this first-parent history."],
    });
  });

  it("cannot be repeated without the commit of the decision", () => {
    expect(examined(trailers("1.1.0").replace(/Decided-On.*\n/, ""))).toEqual({
      kind: "not-recomputable",
      why: "It was decided on a commit that it does not name.",
    });
  });

  it.each(["Decided-At: 2026-01-05T00:00:00Z", "Verdict: sha256:1"])("cannot be repeated without %s", (line) => {
    expect(examined(trailers("1.1.0").replace(line, "Other: x"))).toEqual({
      kind: "not-recomputable",
      why: "Its commit does not say when it was decided, or what.",
    });
  });

  it("cannot be repeated without its evidence, but keeps the rest of the input", () => {
    const body = `${trailers("1.1.0")}\nEvidence: sha256:2\nEvidence: sha256:3`;

    expect(examined(body, ["sha256:2"])).toMatchObject({
      kind: "not-recomputable",
      why: "It was decided on evidence that is not available. Name it with --evidence FILE: sha256:3.",
      basis: { kind: "recomputable", decidedOn: { commit: "c0" } },
    });
  });

  it("differs if the channel serves nothing after it", () => {
    const [step] = stepsAfter([
      { at: 0, fast: "1.0.0", regular: "1.0.0" },
      { at: 9, regular: null, body: trailers("1.1.0") },
    ]);
    if (step?.claim === undefined) throw new Error("it claims nothing");

    expect(examineClaim(step, step.claim, atHand(step, []))).toMatchObject({
      why: ["Its commit says that it promotes 1.1.0, but nothing was served then."],
    });
  });
});
