import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitVariables } from "../../src/sync/install/git.ts";
import { folderWith } from "../cli/program.ts";

const HTTPS = { transport: "https", port: 443, hasCredentials: false } as const;

describe("the credentials of Git", () => {
  it("are read from a file when Git needs them, and are in no variable", () => {
    const folder = folderWith(new Map([["token", "first"]]));
    const variables = gitVariables(HTTPS, folder);
    const fill = (): string =>
      execFileSync("git", ["credential", "fill"], {
        input: "protocol=https\nhost=git.example.com\n\n",
        env: { ...process.env, ...variables, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
        encoding: "utf8",
      });

    expect(fill()).toContain("username=x-access-token\npassword=first\n");
    writeFileSync(join(folder, "token"), "second\n");
    expect(fill()).toContain("username=x-access-token\npassword=second\n");
    rmSync(folder, { recursive: true });
    // Kubernetes would expand it as a variable.
    expect(Object.values(variables).join("\n")).not.toContain("$(");
  });
});
