import { describe, expect, it } from "vitest";
import type { ServedStep } from "../../../src/promote/timeline/timeline.ts";
import {
  examineClaim,
  type AtHand,
  type VerdictBlocker,
  type Recomputable,
} from "../../../src/promote/verdict/blocker.ts";
import { mentions } from "../../support/mentions.ts";
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
      why: [mentions("1.2.0", "1.1.0")],
    });
  });

  it("differs if it was merged before it was decided", () => {
    expect(examined(trailers("1.1.0", { "Decided-At": "2026-01-10T00:01:01Z" }))).toEqual({
      kind: "differs",
      why: [mentions("2026-01-10T00:00:00Z", "2026-01-10T00:01:01Z")],
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
      why: [mentions("c1", "before")],
    });
  });

  it("differs if it was decided on a foreign commit", () => {
    expect(examined(trailers("1.1.0", { "Decided-On": "f00" }))).toEqual({
      kind: "differs",
      why: [mentions("f00", "first-parent")],
    });
  });

  it("cannot be repeated without the commit of the decision", () => {
    expect(examined(trailers("1.1.0").replace(/Decided-On.*\n/, ""))).toEqual({
      kind: "not-recomputable",
      why: mentions("decided on", "commit"),
    });
  });

  it.each(["Decided-At: 2026-01-05T00:00:00Z", "Verdict: sha256:1"])("cannot be repeated without %s", (line) => {
    expect(examined(trailers("1.1.0").replace(line, "Other: x"))).toEqual({
      kind: "not-recomputable",
      why: mentions("commit", "when", "decided"),
    });
  });

  it("cannot be repeated without its evidence, but keeps the rest of the input", () => {
    const body = `${trailers("1.1.0")}\nEvidence: sha256:2\nEvidence: sha256:3`;

    expect(examined(body, ["sha256:2"])).toMatchObject({
      kind: "not-recomputable",
      why: mentions("--evidence FILE: sha256:3"),
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
      why: [mentions("1.1.0", "nothing")],
    });
  });
});
