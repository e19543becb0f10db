import { expect, it } from "vitest";
import type { Generation } from "../../../src/catalogue/settings.ts";
import type { Action } from "./actions.ts";
import { PLAIN_SYNC, Scenario } from "./scenario.ts";

/** Histories in which a sync once lowered or removed a module. They are too rare for the random ones. */
const HISTORIES: readonly (readonly [name: string, generation: Generation, actions: readonly Action[]])[] = [
  [
    "lifecycle-manager forgets a version without an artifact while it is withdrawn",
    "version-templates",
    [
      { kind: "repository", wanted: { fast: "1.0.0" } },
      { kind: "artifact", key: "istio@1.1.0" },
      { kind: "sync", ...PLAIN_SYNC, looks: [{ at: 10, cluster: 0 }] },
    ],
  ],
  [
    "a user moved to a channel that lost its version while the release meta was gone",
    "version-templates",
    [
      { kind: "hand", what: "beta on template", version: "1.1.0" },
      { kind: "sync", ...PLAIN_SYNC, looks: [{ at: 1, cluster: 0 }] },
      { kind: "hand", what: "delete release meta", version: "" },
      { kind: "user", cluster: 1, channel: "fast" },
      { kind: "sync", ...PLAIN_SYNC },
    ],
  ],
  [
    "a template that a person wrote, and whose restrictions nobody knows, is gone",
    "channel-templates",
    [
      { kind: "hand", what: "set fast", version: "2.1.0" },
      { kind: "hand", what: "delete records", version: "" },
      { kind: "sync", ...PLAIN_SYNC },
      { kind: "hand", what: "delete template", version: "" },
      { kind: "sync", ...PLAIN_SYNC },
    ],
  ],
  [
    "a version that a person served goes back by hand, with records that were made of it",
    "channel-templates",
    [
      { kind: "hand", what: "delete records", version: "" },
      { kind: "hand", what: "set regular", version: "2.1.0" },
      { kind: "sync", ...PLAIN_SYNC },
      { kind: "hand", what: "set regular", version: "1.0.0" },
      { kind: "sync", ...PLAIN_SYNC },
    ],
  ],
  [
    "a template is gone while nobody can read which versions clusters have",
    "version-templates",
    [
      { kind: "user", cluster: 0, channel: "regular" },
      { kind: "hand", what: "delete template", version: "1.0.0" },
      { kind: "sync", ...PLAIN_SYNC, isBlind: true, looks: [{ at: 1, cluster: 0 }] },
    ],
  ],
];

it.each(HISTORIES)("no sync harms a cluster if %s", async (_, generation, actions) => {
  const scenario = new Scenario(generation);
  await scenario.start();
  for (const action of actions) expect(await scenario.act(action)).toEqual([]);
});
