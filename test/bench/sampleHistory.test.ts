import { expect, it } from "vitest";
import { parse } from "../../src/catalogue/parse.ts";
import { dateHistory } from "../../src/catalogue/history/dates.ts";
import { moduleHistories } from "../../src/catalogue/history/moduleHistory.ts";
import { revisionSource } from "../../src/systems/git/revision.ts";
import { quietRun } from "../support/quietRun.ts";
import { historyIn } from "../systems/histories.ts";
import { emptyFolder, gitAt } from "../systems/repository.ts";
import { writeSampleHistory } from "./sampleHistory.ts";

const run = quietRun();

it("makes the same history each time: as many commits as asked for, to a valid catalogue", async () => {
  const folders = [emptyFolder().path, emptyFolder().path];
  for (const folder of folders) await writeSampleHistory(folder, { modules: 7, commits: 300, seed: 4 }, run.signal);
  const [first, second] = await Promise.all(folders.map((folder) => historyIn(folder)));
  const parsing = parse(
    "HEAD",
    (await revisionSource(gitAt(String(folders[0])), "HEAD").snapshot(() => true, run)).files,
  );

  expect(first?.commits).toEqual(second?.commits);
  expect(first?.commits).toHaveLength(300);
  expect(parsing).toMatchObject({ kind: "catalogue", catalogue: { withheld: new Set() } });
});

it("has holds, hot-fixes, and versions that channels served one after the other", async () => {
  const folder = emptyFolder().path;
  await writeSampleHistory(folder, { modules: 7, commits: 300, seed: 4 }, run.signal);
  const { modules, of } = moduleHistories(dateHistory(await historyIn(folder), new Map(), Date.UTC(2100)));
  const histories = modules.map(of);

  expect(modules).toHaveLength(7);
  expect(histories.flatMap(({ holds }) => holds).some(({ to }) => to !== undefined)).toBe(true);
  expect(histories.flatMap(({ hotfixes }) => hotfixes).length).toBeGreaterThan(0);
  expect(histories.every(({ served }) => [...served.values()].every((states) => states.length > 3))).toBe(true);
});
