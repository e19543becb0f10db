import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { once } from "../../../src/sync/controller/once.ts";
import { collectGarbage } from "../../../src/systems/memory.ts";

describe("answers that are asked for again", () => {
  it("are given without asking, up to the eighth key before", async () => {
    const asked: string[] = [];
    const read = once(
      (key: string) => Promise.resolve(asked.push(key)),
      (key) => key,
    );
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for (const key of [...keys, ...keys, "i", "a"]) await read(key);

    expect(asked).toEqual([...keys, "i", "a"]);
  });

  it("are asked for anew after a failure, also by those who waited for it", async () => {
    const outcomes = [Promise.reject(new Error("refused")), Promise.resolve("answer")];
    const read = once(
      (_: string) => outcomes.shift() ?? Promise.reject(new Error("asked too often")),
      (key) => key,
    );
    const [first, waiting] = await Promise.allSettled([read("a"), read("a")]);

    expect(first).toMatchObject({ status: "rejected", reason: new Error("refused") });
    expect([waiting, await read("a")]).toEqual([{ status: "fulfilled", value: "answer" }, "answer"]);
  });

  it("leave memory with a collection if they are held weakly", async () => {
    let asked = 0;
    const read = once(
      () => Promise.resolve(++asked),
      () => "",
      (answer) => new WeakRef(answer),
    );

    expect([await read(), await read()]).toEqual([1, 1]);
    // A WeakRef holds its target until the current turn ends.
    await turn();
    collectGarbage();
    expect(await read()).toBe(2);
  });
});
