import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { cloneWith, olderNode, start, temporaryFolder } from "./clone.ts";

/** Says on which Node it runs and with which arguments, and ends with 7; or waits for a signal, and tidies up. */
const PROGRAM = `
const [command, ...rest]: string[] = process.argv.slice(2);
console.log(process.version, JSON.stringify([command, ...rest]));
if (command === "wait") {
  setInterval(() => undefined, 1000);
  process.on("SIGINT", () => { setTimeout(() => { console.log("tidied up"); process.exit(130); }, 300); });
  console.log("waiting");
} else process.exitCode = 7;
`;

const folder = temporaryFolder();
const shim = join(folder, "src/cli/kyma-modules.js");

function older(ctx: TestContext): string {
  return olderNode() ?? ctx.skip("no Node older than 24 is on the PATH");
}

beforeAll(() => {
  cloneWith(folder, PROGRAM);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("kyma-modules in a clone", () => {
  it("runs the TypeScript as it lies there, and gives its exit code", async () => {
    const { code, stdout } = await start(process.execPath, [shim, "a b", "--c"], folder).ended;
    expect(stdout).toBe(`${process.version} ["a b","--c"]\n`);
    expect(code).toBe(7);
  });

  it("goes over to Node 24 when it is called by an older one", async (ctx) => {
    const { code, stdout, stderr } = await start(older(ctx), [shim, "a b", "--c"], folder).ended;
    expect(stdout).toMatch(/^v24\.\S+ \["a b","--c"\]\n$/);
    expect(stderr).toBe("");
    expect(code).toBe(7);
  });

  it("passes an interruption on, and waits until the program has tidied up", async (ctx) => {
    const program = start(older(ctx), [shim, "wait"], folder);
    await program.printed("waiting");
    program.signal("SIGINT");
    const { code, stdout } = await program.ended;
    expect(stdout).toContain("tidied up");
    expect(code).toBe(130);
  });

  it("gives 128 + n when signal n ends the program", async (ctx) => {
    const program = start(older(ctx), [shim, "wait"], folder);
    await program.printed("waiting");
    program.signal("SIGTERM");
    expect((await program.ended).code).toBe(143);
  });
});
