import { describe, expect, it } from "vitest";
import { BRANCH, forgeTown } from "./forgeTown.ts";

describe("a proposal", () => {
  it("that a person closed stays closed until it has another version, or a person asks for it", async () => {
    const town = await forgeTown();
    const [draft, first] = [town.draft(), await (await town.open()).propose(town.draft(), undefined, town.run)];
    town.double.shut(1);
    const left = await (await town.open()).propose(draft, undefined, town.run);
    const again = await (await town.open()).propose({ ...draft, digest: "digest-of-1.1.0:other" }, undefined, town.run);
    expect([left, again.pull]).toEqual([
      { ...first, pull: { ...first.pull, isOpen: false } },
      { ...first.pull, isOpen: false },
    ]);
    expect(town.double.pulls()).toMatchObject([{ state: "closed", headSha: first.tip }]);

    const asked = await (await town.open()).propose({ ...draft, isAsked: true }, undefined, town.run);
    expect(asked.pull).toMatchObject({ number: 1, isOpen: true });
    town.double.shut(1);
    const newer = await (await town.open()).propose(town.draft({ version: "1.2.0" }), undefined, town.run);
    expect(newer.pull).toMatchObject({ number: 1, isOpen: true });
  });

  it.each(["The text of a person.", undefined])(
    "that a person closed with a text of their own (%s) stays closed",
    async (text) => {
      const town = await forgeTown();
      await (await town.open()).propose(town.draft(), undefined, town.run);
      town.double.edit(1, text ?? `${String(town.double.pulls()[0]?.body)}\n\nNot yet, says boss.`);
      town.double.shut(1);
      const left = await (await town.open()).propose(town.draft(), undefined, town.run);

      expect(left.pull).toMatchObject({ number: 1, isOpen: false });
    },
  );

  it("that a person closed together with its branch stays closed", async () => {
    const town = await forgeTown();
    await (await town.open()).propose(town.draft(), undefined, town.run);
    town.double.shut(1);
    town.bare.git("branch", "-D", BRANCH);
    const left = await (await town.open()).propose(town.draft(), undefined, town.run);

    expect(left.pull).toMatchObject({ number: 1, isOpen: false });
    expect(town.double.refs().has(`refs/heads/${BRANCH}`)).toBe(false);
  });
});
