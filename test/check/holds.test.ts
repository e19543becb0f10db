import { describe, expect, it } from "vitest";
import { isHeld } from "../../src/catalogue/policy.ts";
import { BUMP, HOLDS, type Example } from "../../src/check/example.ts";
import { holdsAsCount } from "../../src/check/holds.ts";
import { NOW_MS } from "./exampleWorld.ts";
import { APPROVED, contextOf, NOT_KNOWN, wholeContext } from "./contexts.ts";

const HELD = `format: 1
holds:
  - { version: 1.2.0, reason: leaks, by: boss, since: "2026-01-01T00:00:00Z" }
`;
const FREE = "format: 1\nholds: []\n";

/** Whether the version of the bump is held from entering fast. */
async function isBumpHeld(example: Example): Promise<boolean> {
  const context = await contextOf(example);
  const [step] = context.steps;
  const { module, to, channel } = step ?? expect.unreachable();
  return isHeld(holdsAsCount(context, module), to?.version ?? expect.unreachable(), channel.name, NOW_MS);
}

describe("a hold", () => {
  it("counts as soon as anyone adds it", async () => {
    expect(await isBumpHeld({ change: { ...BUMP, [HOLDS]: HELD } })).toBe(true);
    expect(await isBumpHeld({ base: { [HOLDS]: HELD }, change: BUMP })).toBe(true);
  });

  it("counts in every channel if the one that it names does not exist", async () => {
    const onSlow = HELD.replace("reason", "channel: slow, reason");
    const slow = { "channels/slow.yaml": "format: 1\nfollows: regular\nlandscapes: [dev]\n" };

    expect(await isBumpHeld({ base: { [HOLDS]: onSlow }, change: BUMP })).toBe(true);
    expect(await isBumpHeld({ base: { [HOLDS]: onSlow, ...slow }, change: BUMP })).toBe(false);
    expect(await isBumpHeld({ base: { [HOLDS]: onSlow }, change: { ...BUMP, [HOLDS]: FREE } })).toBe(true);
  });

  it("counts in the change that removes it, until a release manager approves", async () => {
    const example = { base: { [HOLDS]: HELD }, change: { ...BUMP, [HOLDS]: FREE } };
    expect(await isBumpHeld(example)).toBe(true);
    expect(await isBumpHeld({ ...example, people: NOT_KNOWN })).toBe(true);
    expect(await isBumpHeld({ ...example, people: APPROVED })).toBe(false);
    expect(await isBumpHeld({ ...example, change: { ...BUMP, [HOLDS]: undefined } })).toBe(true);
  });

  it("counts as it is when everything is judged", async () => {
    const context = await wholeContext({ [HOLDS]: HELD });
    const [name] = context.head.modules.keys();
    expect(holdsAsCount(context, name ?? expect.unreachable())).toHaveLength(1);
  });
});
