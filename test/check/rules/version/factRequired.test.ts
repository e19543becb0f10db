import { describe, expect, it } from "vitest";
import {
  BUMP,
  bumpManifest,
  FAST,
  manifestPath,
  manifestText,
  MODULE,
  REGULAR,
  SAMPLE,
  templateText,
  type Example,
} from "../../../../src/check/example.ts";
import { TOO_SHALLOW } from "../../../../src/check/gather/unearned.ts";
import type { FactName } from "../../../../src/check/required.ts";
import { factRequired } from "../../../../src/check/rules/version/factRequired.ts";
import { NO_HISTORY, said } from "../../contexts.ts";
import { judgedContext, saidOf } from "../resourceContexts.ts";
import { mentions } from "../../../support/mentions.ts";

const requiring = (example: Example, ...required: readonly FactName[]): Promise<readonly string[]> =>
  saidOf(factRequired, { ...example, required });

describe("a fact that is required", () => {
  it("is an error if it is unknown, for each kind", async () => {
    const said = await requiring({ change: BUMP }, "component", "release", "server", "image");

    expect(said).toEqual([
      mentions("error", "OCM component", "sample 1.2.0", "examples ask no server"),
      mentions("error", "release", "sample 1.2.0", "examples ask no server"),
      mentions("error", "server-side validation", "sample 1.2.0", "unknown"),
      expect.stringMatching(/manifest\.yaml:\d+ error .* digest .* unknown/),
    ]);
  });

  it("is Kubernetes' validation, too, unless the missing manifest is reported already", async () => {
    const change = { ...BUMP, [manifestPath("1.2.0")]: undefined };

    expect(await requiring({ change }, "validator")).toEqual([
      mentions("error", "validation of sample 1.2.0", "manifest"),
    ]);
    expect(await requiring({ change }, "manifest", "validator")).toEqual([
      mentions("error", "manifest of sample 1.2.0"),
    ]);
    expect(await requiring({ change: BUMP }, "validator")).toEqual([]);
  });

  it("is not an image with an invalid reference", async () => {
    const nameless = bumpManifest("registry.example.com/prod/sample-manager:1.2.0", "no image:a:b");

    expect(await requiring({ change: nameless }, "image")).toEqual([]);
  });

  it("is the manifest also of a version that it is compared with", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };

    expect(await requiring({ base, change: BUMP }, "manifest")).toEqual([
      expect.stringMatching(`^${FAST}:\\d+ error .*manifest of sample 1\\.1\\.0 .*unknown`),
    ]);
    expect(await requiring({ base, change: BUMP })).toEqual([]);
  });

  it("is the manifest also of a higher version, whose rights a version may already have", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };
    const change = { [REGULAR]: templateText("regular", "1.0.1"), [manifestPath("1.0.1")]: manifestText("1.0.1") };

    expect(await requiring({ base, change }, "manifest")).toEqual([mentions(`${REGULAR}:23 error`, "sample 1.1.0")]);
  });

  it("is unknown if the manifest of such a version cannot be read in part, unless that is waived", async () => {
    const base = { [manifestPath("1.1.0")]: `${manifestText("1.1.0")}---\nkind: [\n` };
    const waiver = 'rule: fact-required, version: 1.2.0, reason: compared by hand, until: "2100-01-01T00:00:00Z"';
    const waived = { ...base, [MODULE]: `${String(SAMPLE[MODULE])}waivers: [{ ${waiver} }]\n` };

    expect(await requiring({ base, change: BUMP }, "manifest")).toEqual([
      mentions(`${FAST}:23 error`, "sample 1.1.0", manifestPath("1.1.0"), "line 63"),
    ]);
    expect(await requiring({ base: waived, change: BUMP }, "manifest")).toEqual([]);
  });

  it("is known once a pull request of its own has added it", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };
    const added = { [manifestPath("1.1.0")]: manifestText("1.1.0") };

    expect(await requiring({ base, change: { ...BUMP, ...added } }, "manifest")).toHaveLength(1);
    expect(await requiring({ base, change: added }, "manifest")).toEqual([]);
    expect(await requiring({ base: added, change: BUMP }, "manifest")).toEqual([]);
    // Oldest first.
    const none = { ...base, [manifestPath("1.0.0")]: undefined };
    const first = { [manifestPath("1.0.0")]: manifestText("1.0.0") };
    expect(await requiring({ base: none, change: first }, "manifest")).toEqual([]);
    expect(await requiring({ base: { ...none, ...first }, change: added }, "manifest")).toEqual([]);
  });

  it("is that of a version without a template, too", async () => {
    const folder = "modules/sample/1.2.0/";
    const config = { [`${folder}module-config.yaml`]: "name: sample\n" };
    const linked = { [`${folder}module-config.yaml`]: "name: sample\nmanifest: https://example.com/manifest.yaml\n" };
    const only = { [manifestPath("1.2.0")]: manifestText("1.2.0") };
    const asked = manifestText("1.2.0").match(/(?<=image: )\S+/g) ?? [];
    const images = Object.fromEntries(asked.map((image) => [image, undefined]));

    for (const change of [config, linked])
      expect(await requiring({ change }, "manifest", "validator")).toEqual([
        mentions(`${folder}module-config.yaml:`, "error", "manifest of sample 1.2.0"),
      ]);
    expect(await requiring({ change: config }, "validator")).toEqual([
      mentions("error", "validation of sample 1.2.0", "manifest"),
    ]);
    expect(await requiring({ base: { [manifestPath("1.1.0")]: undefined }, change: only }, "manifest")).toEqual([
      mentions(`${manifestPath("1.2.0")}:`, "error", "manifest of sample 1.1.0"),
    ]);
    expect(await requiring({ change: only, outside: { images } }, "manifest", "validator", "image")).toEqual([]);
  });

  it("is not an error if it is known", async () => {
    const known = { releases: { "sample 1.2.0": true }, components: { "sample 1.2.0": undefined } };

    expect(
      await requiring({ change: BUMP, outside: known }, "release", "component", "history", "earned", "manifest"),
    ).toEqual([]);
  });

  it("is the history, too", async () => {
    const context = { ...(await judgedContext({ change: BUMP })), required: ["history", "earned"] as const };
    const shallow = { ...context, facts: { ...context.facts, history: NO_HISTORY, unearned: TOO_SHALLOW } };

    expect(said(factRequired, shallow)).toEqual([
      mentions("kyma-modules.yaml:1 error", "history", NO_HISTORY.why),
      mentions("kyma-modules.yaml:1 error", "promotion", "git fetch --unshallow", "fetch-depth: 0"),
    ]);
  });
});
