import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { abandoned, nodeImage, kindMissing, kindSupply } from "../../src/systems/clusters/kind.ts";
import { quietRun } from "../support/quietRun.ts";
import { emptyFolder } from "../systems/repository.ts";

describe("kind", () => {
  it("is missing where the program is, or Docker", async () => {
    const folder = emptyFolder();
    expect(await kindMissing({ PATH: folder.path }, quietRun())).toBe("there is no kind on the PATH");
    folder.write({ kind: "#!/bin/sh\n" });
    chmodSync(`${folder.path}/kind`, 0o755);
    expect(await kindMissing({ PATH: folder.path }, quietRun())).toBe("there is no docker on the PATH");
    const supply = kindSupply({ PATH: folder.path }, { kubernetes: undefined, logs: undefined });
    await expect(supply.take([], quietRun())).rejects.toMatchObject({ code: "CONFIGURATION" });
  });

  it("names the image of a version", () => {
    expect(["1.34", "1.36.1"].map(nodeImage)).toEqual(["kindest/node:v1.34.0", "kindest/node:v1.36.1"]);
  });

  it("finds the clusters of processes that have ended", () => {
    const listed = "mine\nkyma-modules-smoke-7-0\nkyma-modules-smoke-8-1\nkyma-modules-smoke-x-1\n";

    expect(abandoned(listed, (process) => process === 8)).toEqual(["kyma-modules-smoke-7-0"]);
  });
});
