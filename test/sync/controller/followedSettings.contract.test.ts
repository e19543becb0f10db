import { describe, expect, it, onTestFinished } from "vitest";
import type { Fault } from "../../../src/ports.ts";
import type { ControllerReport } from "../../../src/sync/controller/controller.ts";
import { FollowedSettings, type FollowedSettingsWorld } from "../../../src/sync/controller/followedSettings.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { quietRun } from "../../support/quietRun.ts";
import { eventually } from "../world.ts";

interface Following {
  readonly settings: FollowedSettings;
  /** What was kept, in order; `!`: for the first time. */
  readonly kept: readonly string[];
  readonly faults: readonly Fault[];
}

/** Follows a branch on which `servable` gives the commit to serve after another one. */
function following(servable: (tip: string, before: string | undefined) => string | undefined): Following {
  const [kept, faults]: [string[], Fault[]] = [[], []];
  const world: FollowedSettingsWorld = {
    clock: systemClock,
    settingsAt: (tip, before) => {
      const commit = servable(tip, before);
      const held = { commit: tip, reason: `${tip} is broken.`, remedy: "Fix it." };
      return Promise.resolve(commit === undefined ? held : { commit, landscapes: [] });
    },
    keep: ({ commit }, isFirst) => Promise.resolve(void kept.push(isFirst ? `${commit}!` : commit)),
    onFault: (fault) => void faults.push(fault),
  };
  const settings = new FollowedSettings(world);
  const stop = new AbortController();
  const ended = settings.keepUp({ ...quietRun(), signal: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await ended.catch(() => undefined);
  });
  return { settings, kept, faults };
}

/** A pass of a landscape that serves `serves`, while `held` is held. */
const passed = (serves: string, held?: string, isRewind = false): ControllerReport =>
  ({ kind: "passed", choice: { serves: { commit: serves }, held: held && { commit: held } }, isRewind }) as never;

describe("the settings that are followed", () => {
  it("are those of each commit that may be served, and else stay", async () => {
    const { settings, kept } = following((tip, before) => (tip === "bad" ? before : tip));
    for (const tip of ["a", "bad", "b"]) await settings.moved(tip, quietRun());

    expect(kept).toEqual(["a!", "a", "b"]);
    expect([settings.commit, settings.tip]).toEqual(["b", "b"]);
  });

  it("are followed before anything serves their commit", async () => {
    const tips: (string | undefined)[] = [];
    const { settings } = following((tip) => {
      tips.push(settings.tip);
      return tip;
    });
    for (const tip of ["a", "b"]) await settings.moved(tip, quietRun());

    expect(tips).toEqual([undefined, "a"]);
  });

  it("are none before a commit may be served: that is a failure, which says why", async () => {
    const { settings, kept } = following((tip) => (tip === "bad" ? undefined : tip));

    await expect(settings.moved("bad", quietRun())).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: "bad is broken. Fix it.",
    });
    expect([kept, settings.commit]).toEqual([[], undefined]);
  });

  it("go back with a landscape that does not trust their commit, and not with one that only serves another", async () => {
    const { settings, kept } = following((tip) => tip);
    await settings.moved("new", quietRun());
    settings.hear(passed("older"));
    settings.hear(passed("older", "another"));
    expect(settings.commit).toBe("new");
    settings.hear(passed("old", "new"));
    await eventually(() => kept.length === 2);

    expect(kept).toEqual(["new!", "old"]);
  });

  it("go on to the tip when a person rewinds a landscape to it", async () => {
    const { settings, kept } = following((tip, before) => before ?? tip);
    await settings.moved("old", quietRun());
    await settings.moved("tip", quietRun());
    settings.hear(passed("tip"));
    expect(settings.commit).toBe("old");
    settings.hear(passed("tip", undefined, true));
    await eventually(() => kept.length === 3);

    expect(kept).toEqual(["old!", "old", "tip"]);
  });
});
