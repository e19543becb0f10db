import { describe, expect, it } from "vitest";
import type { HeadBranch } from "../../src/check/facts.ts";
import { BUMP, edit, FAST, REGULAR_POLICY, SAMPLE } from "../../src/check/example.ts";
import { ownershipProposal } from "../../src/check/rules/ownership/proposalFiles.ts";
import { contextOf } from "./contexts.ts";

const together = edit(
  String(SAMPLE[REGULAR_POLICY]),
  "promotion:\n",
  "promotion:\n  limits: { together: [[sample, other]] }\n",
);

/** The files that the rule refuses on a branch, or why it cannot judge. */
async function refused(head: HeadBranch | undefined, author?: string): Promise<readonly string[]> {
  const context = await contextOf({ base: { [REGULAR_POLICY]: together }, change: BUMP, people: { author, head } });
  return [...ownershipProposal.judge(context)].map((one) => (one.kind === "violation" ? one.file : one.why));
}

describe("a branch of a proposal", () => {
  it("changes only the files of its kind", async () => {
    const files = [FAST, "channels/regular/sample.yaml", "channels/regular/other.yaml", REGULAR_POLICY, "src/evil.ts"];

    expect(await refused({ branch: "promote/regular/sample", files })).toEqual([FAST, REGULAR_POLICY, "src/evil.ts"]);
    expect(await refused({ branch: "promote/NOT A CHANNEL/sample", files: ["src/evil.ts"] })).toEqual(["src/evil.ts"]);
    expect(await refused({ branch: "hold/every-channel/sample-1.2.0", files: ["modules/sample/holds.yaml"] })).toEqual(
      [],
    );
  });

  it("is compared with a base only, and with the folder of the catalogue", async () => {
    const head = { branch: "bump/fast/sample-1.2.0", files: [`train/${FAST}`, FAST] };
    const context = await contextOf({ change: BUMP, people: { head } });
    const inFolder = { ...context, facts: { ...context.facts, folder: "train/" } };

    expect([...ownershipProposal.judge({ ...context, base: undefined })]).toEqual([]);
    expect([...ownershipProposal.judge(inFolder)]).toMatchObject([{ file: FAST }]);
  });

  it("is any other branch if it has another name", async () => {
    expect(await refused({ branch: "feature", files: ["src/evil.ts"] })).toEqual([]);
  });

  it("is not judged if it is unknown, which is said of a change with an author", async () => {
    expect(await refused(undefined)).toEqual([]);
    expect(await refused(undefined, "owner")).toEqual([expect.stringContaining("--head-branch")]);
  });
});
