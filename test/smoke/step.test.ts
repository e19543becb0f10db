import { expect, test } from "vitest";
import { sideBySide } from "../../src/smoke/step.ts";

test("work side by side is not started any more after some of it threw, but what is under way is waited for", async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const work = async (item: number): Promise<void> => {
    started.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error("lost");
    await new Promise((resolve) => setTimeout(resolve, 1));
    ended.push(item);
  };

  await expect(sideBySide([1, 2, 3, 4], 2, work)).rejects.toThrow("lost");
  expect({ started, ended }).toEqual({ started: [1, 2], ended: [2] });
  expect(await sideBySide([1, 2, 3], 2, (item) => Promise.resolve(item * 2))).toEqual([2, 4, 6]);
});
