// promoteParts.ts REPOSITORY: decides about every module of a repository, as `promote --offline` does, one part after the
// other, and prints how long each took. The command itself reads history and catalogue at the same time.
import { parse } from "../../../src/catalogue/parse.ts";
import { cataloguePlace } from "../../../src/catalogue/paths.ts";
import type { Run } from "../../../src/ports.ts";
import { dateHistory } from "../../../src/catalogue/history/dates.ts";
import { moduleHistories, MODULE_FILES } from "../../../src/catalogue/history/moduleHistory.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import { NO_STRAYS, allSubjects } from "../../../src/promote/verdict/subject.ts";
import { Repository } from "../../../src/systems/git/repository.ts";
import { revisionSource } from "../../../src/systems/git/revision.ts";
import { gitHistory } from "../../../src/systems/git/history.ts";

const [repository = "."] = process.argv.slice(2);
const silent: Run["log"] = { info: () => undefined, warn: () => undefined, with: () => silent };
const run: Run = { signal: new AbortController().signal, log: silent };
const nowMs = Date.now();
let lastMs = performance.now();

function lap(): number {
  const [fromMs, toMs] = [lastMs, performance.now()];
  lastMs = toMs;
  return toMs - fromMs;
}

const git = Repository.of(repository, process.env);
const files = await revisionSource(git, "HEAD").snapshot((path) => cataloguePlace(path) !== undefined, run);
const readFilesMs = lap();
const parsing = parse(files.revision, files.files);
if (parsing.kind === "refused")
  throw new Error(`the sample is not a catalogue: ${JSON.stringify(parsing.findings[0])}`);
const parseMs = lap();
const recorded = await gitHistory(git).read("HEAD", MODULE_FILES, run);
const readHistoryMs = lap();
const histories = moduleHistories(dateHistory(recorded, new Map(), nowMs));
const known = histories.modules.map((module) => histories.of(module));
const understandHistoryMs = lap();
const verdicts = allSubjects(parsing.catalogue).map((subject) =>
  decide(subject, {
    history: histories.of(subject.module),
    evidence: [],
    proposedHolds: [],
    strays: NO_STRAYS,
    nowMs,
  }),
);
const decideMs = lap();
console.log(
  JSON.stringify({
    items: verdicts.length,
    modules: known.length,
    commits: recorded.commits.length,
    changes: recorded.changes.length,
    candidates: verdicts.reduce((sum, { candidates }) => sum + candidates.length, 0),
    ...{ readFilesMs, parseMs, readHistoryMs, understandHistoryMs, decideMs },
  }),
);
