import { describe, expect, it } from "vitest";
import { BUMP, REGULAR, templateText, type ExampleFiles } from "../../../src/check/example.ts";
import type { Context } from "../../../src/check/context.ts";
import { gatherUnearned, type AskUnearned } from "../../../src/check/gather/unearned.ts";
import { Fault } from "../../../src/ports.ts";
import { quietRun } from "../../support/quietRun.ts";
import { APPROVED, contextOf } from "../contexts.ts";

const PROMOTION: ExampleFiles = { [REGULAR]: templateText("regular", "1.1.0") };

/** An answer that holds nothing against any step, and the steps that it was asked about. */
function answering(): { readonly ask: AskUnearned; readonly asked: string[] } {
  const asked: string[] = [];
  const ask: AskUnearned = (base, steps) => {
    asked.push(
      ...steps.map(
        ({ channel, module, to, question }) =>
          `${base.slice(0, 1)} ${question} ${channel.name}/${module} ${to.version}`,
      ),
    );
    return Promise.resolve([]);
  };
  return { ask, asked };
}

async function gathered(context: Context, ask: AskUnearned | undefined): Promise<unknown> {
  return gatherUnearned(context, ask, quietRun());
}

describe("whether a version has earned its channel", () => {
  it("is asked about steps into following channels, at the commit of the base", async () => {
    const { ask, asked } = answering();
    await gathered(await contextOf({ change: { ...PROMOTION, ...BUMP } }), ask);
    expect(asked).toEqual(["b verdict regular/sample 1.1.0"]);
  });

  it("is not asked about a submission, nor where a release manager approved", async () => {
    const { ask, asked } = answering();
    const nothing = { kind: "known", value: [] };
    expect(await gathered(await contextOf({ change: BUMP }), ask)).toEqual(nothing);
    expect(await gathered(await contextOf({ change: PROMOTION, people: APPROVED }), ask)).toEqual(nothing);
    expect(asked).toEqual([]);
  });

  it("is unknown if promotion cannot be asked, and in a shallow clone", async () => {
    const context = await contextOf({ change: PROMOTION });
    expect(await gathered(context, undefined)).toMatchObject({ kind: "unknown" });
    const shallow: AskUnearned = () => Promise.reject(new Fault("HISTORY_TOO_SHALLOW", "shallow"));
    expect(await gathered(context, shallow)).toEqual({
      kind: "unknown",
      why: expect.stringContaining("git fetch --unshallow") as string,
    });
  });

  it("throws the faults of the world", async () => {
    const context = await contextOf({ change: PROMOTION });
    const failing: AskUnearned = () => Promise.reject(new Fault("GIT_FAILED", "broken"));
    await expect(gathered(context, failing)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });
});
