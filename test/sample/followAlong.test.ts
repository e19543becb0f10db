import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, start, temporaryFolder } from "../house/clone.ts";
import { mainFile } from "../cli/program.ts";
import { folderAt, type Folder } from "../systems/repository.ts";

const CATALOGUE = ["kyma-modules.yaml", "channels", "modules", ".github", "test/sample"];
const readme = readFileSync(join(root, "README.md"), "utf8");

/** What README.md shows under a command; what it leaves out stands as `…`. */
function shownUnder(command: string): readonly string[] {
  const begin = readme.indexOf(`$ ${command}\n`);
  expect(begin, `README.md shows ${command}`).toBeGreaterThan(-1);
  const [, ...lines] = readme.slice(begin, readme.indexOf("\n```", begin)).split("\n");
  return lines.filter((line) => line !== "…" && line !== "");
}

/** Without what differs from run to run: times, commits. */
const lasting = (line: string): string =>
  line.replace(/\(\d+\.\d+ s\)/, "(… s)").replace(/(decided:|committed) \S+/, "$1 …");

const clone: Folder = folderAt(temporaryFolder());

/** The lines that a command of the program prints in the clone, and its exit code. */
async function type(command: string): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const [, , ...args] = command.split(" ");
  const { code, stdout, stderr } = await start(process.execPath, [mainFile, ...args], clone.path).ended;
  return { code, lines: `${stdout}${stderr}`.split("\n").map(lasting) };
}

beforeAll(() => {
  clone.git("init", "--quiet", "--initial-branch=main");
  clone.git("config", "user.name", "Person");
  clone.git("config", "user.email", "person@example.com");
  for (const name of CATALOGUE) cpSync(join(root, name), join(clone.path, name), { recursive: true });
  clone.commit();
});

afterAll(() => {
  clone.remove(".");
});

describe("what README.md shows can be typed in a clone", () => {
  it.each([
    ["the simulation", "npx kyma-modules simulate --history-csv test/sample/channel-history.csv"],
    [
      "the bump",
      "npx kyma-modules bump certificates@1.5.1 --channel fast --template test/sample/template.yaml --offline",
    ],
  ])("%s", async (_, command) => {
    const { code, lines } = await type(command);

    for (const line of shownUnder(command).map(lasting)) expect(lines).toContain(line);
    expect(code).toBe(0);
  });

  it("the gate", async () => {
    const command = "npx kyma-modules check --base main --offline --author octocat";
    clone.git("switch", "--quiet", "--create", "certificates-1.5.1");
    cpSync(join(clone.path, "test/sample/submission"), clone.path, { recursive: true });
    const { code, lines } = await type(command);

    for (const line of shownUnder(command).map(lasting)) expect(lines).toContain(line);
    expect(code).toBe(1);
  });
});
