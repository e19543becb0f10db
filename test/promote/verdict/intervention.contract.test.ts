import { describe, expect, it } from "vitest";
import { dateHistory } from "../../../src/catalogue/history/dates.ts";
import { moduleHistories } from "../../../src/catalogue/history/moduleHistory.ts";
import { lookUpAtHead, lookUpInHistory, servedScope } from "../../../src/catalogue/lookup.ts";
import { parse } from "../../../src/catalogue/parse.ts";
import { FAST, HOLDS, manifestPath, manifestText, REGULAR, SAMPLE, templateText } from "../../../src/check/example.ts";
import { decideHold } from "../../../src/promote/intervention/hold.ts";
import { everServedVersions, type PersonRequest } from "../../../src/promote/intervention/intervention.ts";
import { decideUnhold } from "../../../src/promote/intervention/unhold.ts";
import { decideWithdrawal, type WithdrawKnown } from "../../../src/promote/intervention/withdraw.ts";
import { systemClock } from "../../../src/systems/clock.ts";
import { directorySource } from "../../../src/systems/files/files.ts";
import { gitHistory } from "../../../src/systems/git/history.ts";
import { findingsIn } from "../../cli/checking.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, type Folder, gitAt } from "../../systems/repository.ts";
import { channel, changeOf, moduleName, requestOf } from "./interventions.ts";

const [RUN, MODULE] = [quietRun(), moduleName("sample")];

/** fast went 1.1.0 → 1.1.1 → 1.2.0, and regular 1.0.0 → 1.1.0 → 1.1.1. */
function site(): Folder {
  const repository = emptyRepository();
  repository.write(SAMPLE);
  repository.commit("sample");
  for (const [fast, regular] of [
    ["1.1.1", "1.1.0"],
    ["1.2.0", "1.1.1"],
  ] as const) {
    repository.write({
      [FAST]: templateText("fast", fast),
      [REGULAR]: templateText("regular", regular),
      [manifestPath(fast)]: manifestText(fast),
    });
    repository.commit(fast);
  }
  return repository;
}

/** The facts that a command would gather from a repository. */
async function knownIn({ path }: Folder): Promise<WithdrawKnown> {
  const { revision, files } = await directorySource(path).snapshot(() => true, RUN);
  const parsing = parse(revision, files);
  if (parsing.kind === "refused") throw new Error(parsing.findings.map(({ message }) => message).join(" "));
  const { catalogue } = parsing;
  const recorded = await gitHistory(gitAt(path)).read("HEAD", servedScope([MODULE]), RUN);
  const history = moduleHistories(dateHistory(recorded)).of(MODULE);
  return {
    catalogue,
    ever: everServedVersions(catalogue, MODULE, history),
    nowMs: systemClock.nowMs(),
    held: [],
    templateOf: (wanted) => lookUpAtHead(catalogue, MODULE, wanted) ?? lookUpInHistory(history.served, wanted),
  };
}

function asked(text: string, where?: string): PersonRequest {
  return { ...requestOf(text, where), module: MODULE };
}

/** Writes the decided change into the working tree; gives the paths. */
function write(folder: Folder, intervention: Parameters<typeof changeOf>[0]): readonly string[] {
  const { files } = changeOf(intervention);
  folder.write(Object.fromEntries(files));
  return [...files.keys()];
}

async function withdraw(folder: Folder, text: string, where: string): Promise<readonly string[]> {
  const request = { ...asked(text), channel: channel(where) };
  return write(folder, decideWithdrawal(request, await knownIn(folder)));
}

/** The findings on the change in the working tree: by its author, with or without the approval of a release manager. */
function findings(folder: Folder, ...more: readonly string[]): Promise<readonly string[]> {
  const teams = emptyFolder();
  teams.write({ "teams.yaml": '"@sample/team": [owner]\n"@sample/release-managers": [boss]\n' });
  return findingsIn(folder.path, [
    "--base",
    "HEAD",
    "--worktree",
    "--author",
    "owner",
    "--teams",
    `${teams.path}/teams.yaml`,
    ...more,
  ]);
}

describe("the result of check for a withdrawal", () => {
  it.each([
    ["fast", "1.2.0", FAST, "fast", "1.1.1"],
    ["regular", "1.1.1", REGULAR, "regular", "1.1.0"],
  ])("has no findings from %s of %s", async (where, text, file, name, back) => {
    const folder = site();

    expect(await withdraw(folder, text, where)).toEqual([HOLDS, file]);
    expect(await findings(folder)).toEqual([]);
    expect(folder.git("diff", "HEAD", "--", file)).toContain(`+  version: ${back}`);
    const { catalogue } = await knownIn(folder);
    expect(catalogue.channels.get(channel(name))?.templates.get(MODULE)?.file.text).toBe(templateText(name, back));
  });

  it("is an error without the hold", async () => {
    const folder = site();
    await withdraw(folder, "1.1.1", "regular");
    folder.remove(HOLDS);

    expect(await findings(folder)).toEqual([expect.stringMatching(/^version-downgrade /)]);
  });

  it("has no findings after another withdrawal", async () => {
    const folder = site();
    await withdraw(folder, "1.1.1", "regular");
    folder.commit("withdraw");

    expect(await withdraw(folder, "1.1.0", "regular")).toEqual([HOLDS, REGULAR]);
    expect(await findings(folder)).toEqual([]);
    folder.commit("withdraw again");
    expect(decideWithdrawal({ ...asked("1.0.0"), channel: channel("regular") }, await knownIn(folder))).toMatchObject({
      kind: "refused",
    });
  });

  it("has no new findings for a version that went down by hand", async () => {
    const folder = site();
    folder.write({ [REGULAR]: templateText("regular", "1.0.0") });
    folder.commit("by hand");

    expect(await withdraw(folder, "1.1.1", "regular")).toEqual([HOLDS]);
    expect(await findings(folder)).toEqual([]);
  });
});

describe("the result of check for a hold", () => {
  it("has no findings if it is added or made stronger", async () => {
    const folder = site();
    write(folder, decideHold({ ...asked("1.2.0", "regular"), until: "2100-01-01T00:00:00Z" }, await knownIn(folder)));
    expect(await findings(folder)).toEqual([]);
    folder.commit("hold");

    write(folder, decideHold({ ...asked("1.2.0"), until: undefined }, await knownIn(folder)));
    expect(await findings(folder)).toEqual([]);
    folder.commit("hold more");
    folder.write({ [REGULAR]: templateText("regular", "1.2.0") });
    expect(await findings(folder)).toEqual([
      expect.stringMatching(/^channel-earned /),
      expect.stringMatching(/^channel-held /),
    ]);
  });

  it("demands the approval of a release manager if it is lifted", async () => {
    const folder = site();
    write(folder, decideHold({ ...asked("1.2.0"), until: undefined }, await knownIn(folder)));
    folder.commit("hold");
    write(folder, decideUnhold(asked("1.2.0"), await knownIn(folder), [], []));

    expect(await findings(folder)).toEqual([`hold-removal ${HOLDS}:3`]);
    expect(await findings(folder, "--approved-by", "boss")).toEqual([]);
    folder.commit("unhold");
    folder.write({ [REGULAR]: templateText("regular", "1.2.0") });
    expect(await findings(folder)).toEqual([expect.stringMatching(/^channel-earned /)]);
  });

  it("demands the approval of a release manager if it lifts a decrease by hand", async () => {
    const folder = site();
    folder.write({ [REGULAR]: templateText("regular", "1.1.0") });
    folder.commit("by hand");
    write(folder, decideUnhold(asked("1.1.1", "regular"), await knownIn(folder), [channel("regular")], []));

    expect(await findings(folder)).toEqual([`hold-removal ${HOLDS}:4`]);
    expect(await findings(folder, "--approved-by", "boss")).toEqual([]);
  });
});
