import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MEMORY } from "../../src/sync/install/pod.ts";
import { cloneWith, olderNode, start, temporaryFolder, type Ended } from "./clone.ts";

/**
 * Says on which Node it runs and with which arguments, and ends with 7; or waits for a signal, and tidies up; or says
 * what variables hold.
 */
const PROGRAM = `
const [command, ...rest]: string[] = process.argv.slice(2);
console.log(process.version, JSON.stringify([command, ...rest]));
if (command === "wait") {
  setInterval(() => undefined, 1000);
  process.on("SIGINT", () => { setTimeout(() => { console.log("tidied up"); process.exit(130); }, 300); });
  console.log("waiting");
} else if (command === "variables") console.log(JSON.stringify(rest.map((name) => process.env[name])));
else process.exitCode = 7;
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

  it("goes over with the settings for memory of a Deployment", async (ctx) => {
    const { stdout } = await start(older(ctx), [shim, "variables", ...Object.keys(MEMORY)], folder).ended;
    expect(JSON.parse(stdout.split("\n")[1] ?? "")).toEqual(Object.values(MEMORY));
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

describe("kyma-modules in a package that has no Node beside it", () => {
  const beside = temporaryFolder();
  const installed = join(beside, "node_modules/kyma-modules");
  const ofNpm = join(beside, "node_modules/node");
  const call = (ctx: TestContext): Promise<Ended> =>
    start(older(ctx), [join(installed, "src/cli/kyma-modules.js")], beside).ended;

  afterAll(() => {
    rmSync(beside, { recursive: true });
  });

  beforeAll(() => {
    mkdirSync(join(installed, "src/cli"), { recursive: true });
    cpSync(shim, join(installed, "src/cli/kyma-modules.js"));
    writeFileSync(join(installed, "package.json"), '{ "type": "module" }');
  });

  it("says how to get Node 24 where the machine's is older", async (ctx) => {
    const { code, stderr } = await call(ctx);

    expect(stderr).toMatch(
      /^kyma-modules: needs Node 24 or newer, and this is v\d+\.\S+\. Install Node 24, or .*node@24`\n$/,
    );
    expect(code).toBe(2);
  });

  it.for<readonly [string, string, string]>([
    ["is too old as well", "22.1.0", "node@24"],
    ["ran no install script", "24.21.0", "npm rebuild node"],
  ])("does not go over to one that %s", async ([, version, remedy], ctx) => {
    mkdirSync(ofNpm, { recursive: true });
    writeFileSync(join(ofNpm, "package.json"), JSON.stringify({ name: "node", version }));
    const { code, stderr } = await call(ctx);

    expect([code, stderr]).toEqual([2, expect.stringContaining(remedy)]);
  });
});
