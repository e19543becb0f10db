import { describe, expect, it } from "vitest";
import { run } from "./program.ts";

describe("kyma-modules demo --clusters", () => {
  it.each([
    [["--clusters", "0"], "whole number from 1 to 2000"],
    [["--clusters", "20", "--speed", "4000"], "whole number from 1 to 3600"],
    [["--speed", "60"], "need '--clusters'"],
    [["--failing", "certificates@1.5.1"], "need '--clusters'"],
    [["--clusters", "20", "--data", "data"], "cannot be used with"],
    [["--clusters", "20", "--failing", "certificates"], "expected"],
  ])("refuses %j", async (options, message) => {
    const { code, stderr } = await run(["demo", ...options]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
