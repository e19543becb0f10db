import { describe, expect, it } from "vitest";
import type { ChannelName, ModuleName } from "../../../src/catalogue/names.ts";
import { subjectIn, allSubjects } from "../../../src/promote/verdict/subject.ts";
import { catalogueOf, channelTemplate, MANDATORY_POLICY, SETTINGS } from "../../catalogue/repository.ts";

const POLICY = "format: 1\nlandscapes: [dev]\n";

const FILES: Readonly<Record<string, string>> = {
  "kyma-modules.yaml": SETTINGS,
  "channels/fast.yaml": POLICY,
  "channels/regular.yaml": `${POLICY}follows: fast\n`,
  "channels/slow.yaml": `${POLICY}follows: regular\n`,
  "channels/must.yaml": MANDATORY_POLICY,
  "channels/regular/telemetry.yaml": channelTemplate("regular", "telemetry"),
  "channels/regular/keda.yaml": channelTemplate("regular", "keda"),
  "channels/fast/istio.yaml": channelTemplate("fast", "istio"),
  "channels/fast/keda.yaml": channelTemplate("fast", "keda"),
  "channels/slow/btp-operator.yaml": channelTemplate("slow", "btp-operator"),
  "channels/must/warden.yaml": channelTemplate("must", "warden"),
  "modules/keda/holds.yaml": "format: 1\nholds: []\n",
};

const named = (files: Readonly<Record<string, string>>): readonly string[] =>
  allSubjects(catalogueOf(files)).map(({ channel, followed, module }) => `${followed.name} ${channel.name}/${module}`);

describe("the subjects of a catalogue", () => {
  it("are the modules of each following channel and of its followed channel", () => {
    expect(named(FILES)).toEqual([
      "fast regular/istio",
      "fast regular/keda",
      "fast regular/telemetry",
      "regular slow/btp-operator",
      "regular slow/keda",
      "regular slow/telemetry",
    ]);
  });

  it("are in order of channel and module, whatever the order of the files", () => {
    expect(named(Object.fromEntries(Object.entries(FILES).reverse()))).toEqual(named(FILES));
  });

  it("have the content of the module's folder, if any, and the landscapes in order", () => {
    const subjects = allSubjects(catalogueOf(FILES)).filter(({ channel }) => channel.name === "regular");

    expect(subjects.map(({ said }) => said?.files.holds?.path)).toEqual([
      undefined,
      "modules/keda/holds.yaml",
      undefined,
    ]);
    expect(subjects[0]?.landscapes.map(({ name }) => name)).toEqual(["dev", "prod"]);
  });

  it("are empty if no channel follows another", () => {
    const { "channels/fast.yaml": fast = "", "kyma-modules.yaml": settings = "" } = FILES;

    expect(named({ "kyma-modules.yaml": settings, "channels/fast.yaml": fast })).toEqual([]);
  });
});

describe("the subject of a module and a channel", () => {
  const catalogue = catalogueOf(FILES);
  const named = (module: string, channel: string): string | undefined => {
    const subject = subjectIn(catalogue, module as ModuleName, channel as ChannelName);
    return subject && `${subject.followed.name} ${subject.channel.name}/${subject.module}`;
  };

  it("exists even if neither channel serves the module", () => {
    expect(named("keda", "regular")).toBe("fast regular/keda");
    expect(named("warden", "slow")).toBe("regular slow/warden");
  });

  it("has the content of the module's folder", () => {
    const subject = subjectIn(catalogue, "keda" as ModuleName, "slow" as ChannelName);

    expect([subject?.said?.name, subject?.landscapes.length]).toEqual(["keda", 2]);
  });

  it("does not exist for an unknown channel, or one that follows none", () => {
    expect(named("keda", "experimental")).toBeUndefined();
    expect(named("keda", "fast")).toBeUndefined();
  });
});
