import { expect, it } from "vitest";
import { systemClock } from "../../src/systems/clock.ts";
import { quietRun } from "../support/quietRun.ts";

it("a pause that is aborted, before or meanwhile, throws the abort reason", async () => {
  const abort = new AbortController();
  const pause = systemClock.pause(60_000, quietRun(abort.signal));
  const reason = new Error("the Lease was lost");
  abort.abort(reason);

  await expect(pause).rejects.toBe(reason);
  await expect(systemClock.pause(0, quietRun(abort.signal))).rejects.toBe(reason);
});
