import { describe, expect, it } from "vitest";
import { BUMP, bumpManifest, FAST, manifestPath, type Example } from "../../../../src/check/example.ts";
import { TOO_SHALLOW } from "../../../../src/check/gather/unearned.ts";
import type { FactName } from "../../../../src/check/required.ts";
import { factRequired } from "../../../../src/check/rules/version/factRequired.ts";
import { NO_HISTORY, said } from "../../contexts.ts";
import { judgedContext, saidOf } from "../resourceContexts.ts";

const requiring = (example: Example, ...required: readonly FactName[]): Promise<readonly string[]> =>
  saidOf(factRequired, { ...example, required });

describe("a fact that is required", () => {
  it("is an error where it could not be had, of each kind", async () => {
    const said = await requiring({ change: BUMP }, "component", "release", "server", "image");

    expect(said).toEqual([
      expect.stringContaining(
        "error The OCM component of sample 1.2.0 is required, and not known: examples ask nobody.",
      ),
      expect.stringContaining("error The release of sample 1.2.0 is required, and not known: examples ask nobody."),
      expect.stringContaining("error What the API server says of sample 1.2.0 is required, and not known: "),
      expect.stringMatching(/manifest.yaml:\d+ error .*: whether the registry has .* is required, and not known: /),
    ]);
  });

  it("is not an image that could not be asked for", async () => {
    const nameless = bumpManifest("registry.example.com/prod/sample-manager:1.2.0", "no image:a:b");

    expect(await requiring({ change: nameless }, "image")).toEqual([]);
  });

  it("is the manifest also of a version that it is compared with", async () => {
    const base = { [manifestPath("1.1.0")]: undefined };

    expect(await requiring({ base, change: BUMP }, "manifest")).toEqual([
      expect.stringMatching(`^${FAST}:\\d+ error The manifest of sample 1.1.0 is required, and not known: `),
    ]);
    expect(await requiring({ base, change: BUMP })).toEqual([]);
  });

  it("is not an error where it is known", async () => {
    const known = { releases: { "sample 1.2.0": true }, components: { "sample 1.2.0": undefined } };

    expect(
      await requiring({ change: BUMP, outside: known }, "release", "component", "history", "earned", "manifest"),
    ).toEqual([]);
  });

  it("is the history, too", async () => {
    const context = { ...(await judgedContext({ change: BUMP })), required: ["history", "earned"] as const };
    const shallow = { ...context, facts: { ...context.facts, history: NO_HISTORY, unearned: TOO_SHALLOW } };

    expect(said(factRequired, shallow)).toEqual([
      "kyma-modules.yaml:1 error What the channels served once is required, and not known: the clone is too shallow.",
      "kyma-modules.yaml:1 error Whether the versions have earned it is required, and not known: the clone is too shallow to tell: git fetch --unshallow (in GitHub Actions: fetch-depth: 0).",
    ]);
  });
});
