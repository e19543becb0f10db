import { describe, expect, it } from "vitest";
import { claimsIn, statementIn } from "../../../src/promote/timeline/trailers.ts";
import { trailers } from "../verdict/timelines.ts";

const CLAIM = {
  module: "istio",
  version: "1.1.0",
  follows: "fast",
  channel: "regular",
  decidedOn: "c0",
  decidedAtMs: Date.parse("2026-01-05T00:00:00Z"),
  verdict: "sha256:1",
  evidence: [],
};

describe("the claims of a commit", () => {
  it("are read from its trailers", () => {
    expect(claimsIn(`Promote istio\n\n${trailers("1.1.0")}\n`)).toEqual([CLAIM]);
  });

  it("are read from lines that end as a browser writes them", () => {
    expect(claimsIn(`Promote istio\n\n${trailers("1.1.0")}\n`.replaceAll("\n", "\r\n"))).toEqual([CLAIM]);
  });

  it("are found before the paragraphs that a forge adds", () => {
    const message = `Promote istio\n\n${trailers("1.1.0")}\n\n---------\n\nCo-authored-by: Octo Cat <octo@example.com>\n`;

    expect(claimsIn(message)).toEqual([CLAIM]);
  });

  it("are several, in order, if commits were squashed", () => {
    const message = `* Promote istio\n\n${trailers("1.1.0")}\n\n* Update it\n\n${trailers("1.2.0")}\n`;

    expect(claimsIn(message).map(({ version }) => version)).toEqual(["1.1.0", "1.2.0"]);
  });

  it("name every file of evidence", () => {
    const message = `x\n\n${trailers("1.1.0")}\nEvidence: sha256:2\nEvidence: sha256:3`;

    expect(claimsIn(message)[0]?.evidence).toEqual(["sha256:2", "sha256:3"]);
  });

  it("lack fields that cannot be read", () => {
    const claim = claimsIn("x\n\nPromotes: istio\nDecided-At: yesterday");

    const nothing = { follows: undefined, channel: undefined, decidedOn: undefined, verdict: undefined };
    expect(claim).toEqual([{ ...nothing, module: "istio", version: "", decidedAtMs: undefined, evidence: [] }]);
  });

  it("are empty for a message that only mentions promotion", () => {
    expect(claimsIn("Promotes istio\n\nIt promotes: istio@1.1.0")).toEqual([]);
  });
});

describe("the person and the reason of a request", () => {
  const message = "Withdraw\n\nWithdraws: istio@1.2.0\nChannel: regular\nBy: octocat\nReason: it leaks: badly\n";

  it("are read from the trailers of a withdrawal", () => {
    expect(statementIn(message, "Withdraws", { module: "istio", version: "1.2.0" })).toEqual({
      by: "octocat",
      reason: "it leaks: badly",
    });
  });

  it("are unknown for another version, another module, or another word", () => {
    const unknown = { by: undefined, reason: undefined };
    expect(statementIn(message, "Withdraws", { module: "istio", version: "1.1.0" })).toEqual(unknown);
    expect(statementIn(message, "Withdraws", { module: "keda", version: "1.2.0" })).toEqual(unknown);
    expect(statementIn(message, "Unholds", { module: "istio", version: "1.2.0" })).toEqual(unknown);
  });
});
