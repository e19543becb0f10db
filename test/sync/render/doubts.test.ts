import { describe, expect, it } from "vitest";
import { dateHistory } from "../../../src/catalogue/history/dates.ts";
import { moduleHistories } from "../../../src/catalogue/history/moduleHistory.ts";
import { baseDoubts, isSettings } from "../../../src/sync/render/doubts.ts";
import { compile } from "../../../src/catalogue/compile.ts";
import { recordedOf, type Step } from "../../catalogue/history/recorded.ts";
import { targetFor } from "./rendering.ts";
import { catalogueOf, filesOf, type Sample } from "../catalogueFiles.ts";

const NOW: Sample = { channels: { fast: { istio: "1.0.0" } }, modules: { istio: { owners: ["@org/istio"] } } };

/** The doubts about modules after these steps, with the settings of `NOW` in the end. */
function doubts(...steps: readonly Step[]): readonly (readonly [string, string])[] {
  const catalogue = catalogueOf(NOW);
  const last = Object.fromEntries(filesOf(NOW));
  const { changes, ...dated } = dateHistory(recordedOf(...steps, last));
  const histories = moduleHistories({ changes, ...dated });
  return [...baseDoubts(changes, histories, compile(catalogue, targetFor()), catalogue.channels)];
}

const filesAt = (sample: Partial<Sample>): Step => Object.fromEntries(filesOf({ ...NOW, ...sample }));
const module = (fields: object): Step => filesAt({ modules: { istio: { owners: ["@org/istio"], ...fields } } });

describe("the history alone leaves doubts about what was rendered last", () => {
  it.each<readonly [name: string, step: Step, reason: string]>([
    ["a module was for other Kymas", module({ beta: true }), "its beta was different once"],
    ["a module had another component", module({ ocmComponentName: "example.com/module/a" }), "its ocmComponentName"],
    [
      "templates named another component",
      filesAt({ channels: { fast: { istio: { version: "0.9.0", descriptor: { component: { name: "a.b/c" } } } } } }),
      "its ocmComponentName",
    ],
    ["a channel was mandatory", filesAt({ mandatory: ["fast"] }), "the kind or the landscapes of the channel fast"],
    ["a channel is gone", filesAt({ channels: { old: { istio: "1.0.0" } } }), "the channel old"],
  ])("if %s", (_name, step, reason) => {
    expect(doubts(step)).toEqual([["istio", expect.stringContaining(reason)]]);
  });

  it.each<readonly [name: string, step: Step]>([
    ["everything was as it is", {}],
    ["other settings changed", module({ owners: ["@org/others"] })],
    ["a channel was on another landscape only", filesAt({ elsewhere: ["fast"] })],
    ["a file was broken", { "modules/istio/module.yaml": "[", "channels/fast.yaml": "[" }],
    ["a policy said less", { "channels/fast.yaml": "format: 1\nversions: any\nlandscapes: [dev]\n" }],
    ["another module is gone", filesAt({ channels: { fast: { istio: "1.0.0", keda: "1.0.0" } } })],
    ["the settings of a module are left", { "modules/keda/module.yaml": "format: 1\nbeta: true\n" }],
    ["names were invalid", { "modules/is-to/module.yaml": "format: 1\n", "channels/none.yaml": "format: 1\n" }],
  ])("but not if %s", (_name, step) => {
    expect(doubts(step)).toEqual([]);
  });

  it("and if a restriction was added or removed with its file", () => {
    const path = "modules/istio/module.yaml";

    expect(doubts(module({ internal: true }), { [path]: undefined })).toHaveLength(1);
  });

  it("and if its file is younger than its channel files", () => {
    const { "modules/istio/module.yaml": _file, ...bare } = filesAt({});
    const catalogue = catalogueOf({ ...NOW, modules: { istio: { owners: ["@org/istio"], beta: true } } });
    const { changes, ...dated } = dateHistory(recordedOf(bare, module({ beta: true })));
    const histories = moduleHistories({ changes, ...dated });

    expect([...baseDoubts(changes, histories, compile(catalogue, targetFor()), catalogue.channels).keys()]).toEqual([
      "istio",
    ]);
  });

  it("but not if a channel only lost a module for a while", () => {
    expect(doubts(filesAt({}), { "channels/fast/istio.yaml": undefined })).toEqual([]);
  });

  it("which only settings tell", () => {
    expect(["channels/fast.yaml", "modules/istio/module.yaml", "modules/istio/holds.yaml"].map(isSettings)).toEqual([
      ...[true, true, false],
    ]);
  });
});
