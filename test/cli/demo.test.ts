import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { mentions } from "../support/mentions.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { ownTemporaryFolder, sampleRepository } from "./demonstrating.ts";
import { run } from "./program.ts";

beforeEach((context) => {
  needControlPlane(context);
});

describe("kyma-modules demo --once", () => {
  it("serves the sample on one control plane for each landscape, shows it, and leaves nothing behind", async () => {
    const repository = sampleRepository();
    onTestFinished(() => {
      repository.remove(".");
    });
    const { environment, left } = ownTemporaryFolder();
    const { code, stdout, stderr } = await run(["demo", "--once", "--repo", repository.path], environment);

    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "CHANNEL       MODULE          DEV                 STAGE               PROD",
      "experimental  data-pipeline   0.3.0-experimental  0.3.0-experimental  –",
      "fast          certificates    1.5.0               1.5.0               1.5.0",
    ]);
    expect(stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(stderr).not.toContain("KUBECONFIG");
    expect(left()).toEqual([]);
    expect(stderr.trim().split("\n").at(-1)).toEqual(mentions("Stopped", "processes", "data"));
  });
});
