import { describe, expect, it } from "vitest";
import { dateHistory } from "../../../src/catalogue/history/dates.ts";
import { moduleHistories } from "../../../src/catalogue/history/moduleHistory.ts";
import { heldPeriods } from "../../../src/promote/verdict/holding.ts";
import { everServedVersions, type ModuleContext } from "../../../src/promote/intervention/intervention.ts";
import { allSubjects } from "../../../src/promote/verdict/subject.ts";
import { decideUnhold, decreasedChannels } from "../../../src/promote/intervention/unhold.ts";
import { decideWithdrawal } from "../../../src/promote/intervention/withdraw.ts";
import { commitOf, recordedOf } from "../../catalogue/history/recorded.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { channel, changeOf, HOLDS, moduleName, NOW_MS, requestOf, siteOf, version } from "./interventions.ts";

type Files = Readonly<Record<string, string>>;

const [ISTIO, V] = [moduleName("istio"), version("1.2.0")];

interface After extends ModuleContext {
  readonly held: ReturnType<typeof heldPeriods>;
  readonly decreased: ReturnType<typeof decreasedChannels>;
}

/** The facts after these files were merged, one after the other, an hour apart, the last of them an hour ago. */
function after(...steps: readonly Files[]): After {
  const { changes } = recordedOf(...steps);
  const commits = steps.map((_, index) =>
    commitOf(index, { committerMs: NOW_MS - (steps.length - index) * 3_600_000 }),
  );
  const catalogue = siteOf(Object.assign({}, ...steps) as Files);
  const history = moduleHistories(dateHistory({ commits, changes }, new Map(), NOW_MS)).of(ISTIO);
  const subjects = allSubjects(catalogue).filter(({ module }) => module === ISTIO);
  const periods = subjects.flatMap((subject) => heldPeriods(subject, history));
  const decreased = decreasedChannels(periods, V, NOW_MS);
  return { catalogue, ever: everServedVersions(catalogue, ISTIO, history), nowMs: NOW_MS, held: periods, decreased };
}

const serve = (name: string, text: string): Files => ({
  [`channels/${name}/istio.yaml`]: channelTemplate(name, "istio", text),
});
const BEFORE: readonly Files[] = [
  { ...serve("fast", "1.1.0"), ...serve("regular", "1.1.0") },
  { ...serve("fast", "1.2.0"), ...serve("regular", "1.2.0") },
];

describe("a version that a decrease holds", () => {
  it("is free again once the entry of unhold is merged", () => {
    const steps = [...BEFORE, serve("regular", "1.1.0")];
    const known = after(...steps);
    expect(known.decreased).toEqual(["regular"]);

    const { files } = changeOf(decideUnhold(requestOf("1.2.0"), known, known.decreased, []));

    expect(after(...steps, Object.fromEntries(files)).decreased).toEqual([]);
  });

  it("is free again once the hold of its withdrawal is removed", () => {
    const known = after(...BEFORE);
    const templateOf = (): ReturnType<Parameters<typeof decideWithdrawal>[1]["templateOf"]> =>
      siteOf(serve("regular", "1.1.0")).channels.get(channel("regular"))?.templates.get(ISTIO);
    const request = { ...requestOf("1.2.0"), channel: channel("regular") };
    const steps = [...BEFORE, Object.fromEntries(changeOf(decideWithdrawal(request, { ...known, templateOf })).files)];
    const withdrawn = after(...steps);
    expect(withdrawn.decreased).toEqual(["regular"]);

    const { files } = changeOf(decideUnhold(requestOf("1.2.0"), withdrawn, withdrawn.decreased, []));

    expect(files.get(HOLDS)).toMatch(/\nholds: \[\]\n$/);
    expect(after(...steps, Object.fromEntries(files)).decreased).toEqual([]);
  });
});

describe("a withdrawal after a decrease by hand", () => {
  it("goes back past the decrease, and declares it in the files", () => {
    const down = [serve("regular", "1.0.0"), serve("regular", "1.1.0"), serve("regular", "1.0.0")];
    const known = after(serve("fast", "1.2.0"), ...down, serve("regular", "1.2.0"));
    const templateOf = (): ReturnType<Parameters<typeof decideWithdrawal>[1]["templateOf"]> =>
      siteOf(serve("regular", "1.0.0")).channels.get(channel("regular"))?.templates.get(ISTIO);
    const request = { ...requestOf("1.2.0"), channel: channel("regular") };

    const change = changeOf(decideWithdrawal(request, { ...known, templateOf }));

    expect(change).toMatchObject({ back: "1.0.0", held: ["1.2.0", "1.1.0"] });
    expect(change.files.get(HOLDS)?.match(/version: .*/g)).toEqual(["version: 1.2.0", "version: 1.1.0"]);
  });
});
