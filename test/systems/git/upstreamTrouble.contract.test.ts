import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/ports.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";
import { followed } from "./following.ts";

const run = quietRun();

/** A run whose warnings are kept. */
function heardRun(): { readonly run: Run; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const log: Run["log"] = { info: () => undefined, warn: (message) => warnings.push(message), with: () => log };
  return { run: { ...run, log }, warnings };
}

const packsOf = (clone: string): readonly string[] =>
  readdirSync(join(clone, "objects/pack"))
    .filter((name) => name.endsWith(".pack"))
    .map((name) => join(clone, "objects/pack", name));

describe("a clone", () => {
  it.for<[string, (clone: string) => void]>([
    [
      "a pack that is cut off",
      (clone) => {
        packsOf(clone).forEach((pack) => {
          truncateSync(pack, 100);
        });
      },
    ],
    [
      "no packs",
      (clone) => {
        packsOf(clone).forEach((pack) => {
          rmSync(pack);
        });
      },
    ],
    [
      "no HEAD",
      (clone) => {
        rmSync(join(clone, "HEAD"));
      },
    ],
    [
      "a branch that is not a commit",
      (clone) => {
        writeFileSync(join(clone, "refs/heads/main"), "garbage");
      },
    ],
    [
      "an empty branch",
      (clone) => {
        writeFileSync(join(clone, "refs/heads/main"), "");
      },
    ],
    [
      "settings that Git cannot read",
      (clone) => {
        writeFileSync(join(clone, "config"), "[");
      },
    ],
    [
      "nothing in it",
      (clone) => {
        readdirSync(clone).forEach((name) => {
          rmSync(join(clone, name), { recursive: true });
        });
      },
    ],
  ])("with %s is recreated, by the same process or the next", async ([, damage]) => {
    const { remote, open, clone } = followed();
    const upstream = open();
    await upstream.fetch(run);
    for (const one of [open(), upstream]) {
      damage(clone());
      const tip = remote.commit("next");
      const { run: heard, warnings } = heardRun();

      expect(await one.fetch(heard)).toBe(tip);
      expect((await one.source(tip).snapshot(() => true, run)).files.size).toBe(3);
      // Where only packs are damaged, a fetch brings them again without further ado.
      if (one !== upstream) expect(warnings).toEqual([mentions("clone", "damaged")]);
    }
  });

  it("is checked before the next fetch if its files cannot be read", async () => {
    const { open, clone } = followed();
    const upstream = open();
    const tip = await upstream.fetch(run);
    packsOf(clone()).forEach((pack) => {
      rmSync(pack);
    });
    await expect(upstream.source(tip).snapshot(() => true, run)).rejects.toMatchObject({ name: "Fault" });
    await upstream.fetch(run);

    expect((await upstream.source(tip).snapshot(() => true, run)).files.size).toBe(3);
  });

  it("is fetched into despite locks and a partial pack of a killed Git", async () => {
    const { remote, open, clone } = followed();
    await open().fetch(run);
    const left = [
      "HEAD.lock",
      "packed-refs.lock",
      "refs/heads/main.lock",
      "shallow.lock",
      "gc.pid",
      "objects/pack/tmp_pack_x",
    ];
    for (const name of left) writeFileSync(join(clone(), name), "");
    const tip = remote.commit("two");

    expect(await open().fetch(run)).toBe(tip);
    expect(left.filter((name) => existsSync(join(clone(), name)))).toEqual([]);
  });

  it("is not made from a shallow clone, and does not stay behind one", async () => {
    const { remote, open } = followed();
    const shallow = emptyFolder().path;
    const clone = (): void => {
      rmSync(shallow, { recursive: true });
      execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${remote.path}`, shallow]);
    };
    const message = expect.stringMatching(/is a shallow clone.*git fetch --unshallow.*--git URL/) as string;
    remote.commit("two");
    clone();
    const upstream = open({ url: shallow });
    await expect(upstream.fetch(run)).rejects.toMatchObject({ code: "HISTORY_TOO_SHALLOW", message });
    execFileSync("git", ["-C", shallow, "fetch", "--quiet", "--unshallow"]);
    await upstream.fetch(run);

    for (const text of ["three", "four"]) remote.commit(text);
    clone();
    await expect(upstream.fetch(run)).rejects.toMatchObject({ code: "HISTORY_TOO_SHALLOW", message });
  });

  it("keeps a branch whose name looks like a remain of Git", async () => {
    const { remote, open } = followed();
    remote.git("branch", "tmp_x");
    const upstream = open({ branch: "tmp_x" });

    expect(await upstream.fetch(run)).toBe(await upstream.fetch(run));
    expect(await upstream.repository.head(run)).toBe(remote.git("rev-parse", "HEAD"));
  });

  it("serves two concurrent fetches", async () => {
    const { remote, open } = followed();
    const [one, other] = [open(), open()];
    const first = remote.git("rev-parse", "HEAD");
    expect(await Promise.all([one.fetch(run), other.fetch(run), one.fetch(run)])).toEqual([first, first, first]);
    const second = remote.commit("two");

    expect(await Promise.all([one.fetch(run), other.fetch(run)])).toEqual([second, second]);
  });

  it("reports a full disk, and works when there is space again", async (context) => {
    const { remote, cache, open } = followed();
    const small = join(cache.path, "small");
    mkdirSync(small);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=600k", "tmpfs", small], { stdio: "ignore" });
    } catch (error) {
      return context.skip(`a small disk cannot be mounted here: ${String(error)}`);
    }
    try {
      const upstream = open({ cache: small });
      await upstream.fetch(run);
      remote.write({ large: Buffer.from(Array.from({ length: 900_000 }, () => Math.floor(Math.random() * 256))) });
      const tip = remote.commit("large");
      for (const one of [upstream, open({ cache: small })])
        await expect(one.fetch(run)).rejects.toMatchObject({ code: "DISK_FULL" });
      execFileSync("mount", ["-o", "remount,size=8m", small]);

      expect(await upstream.fetch(run)).toBe(tip);
    } finally {
      execFileSync("umount", [small]);
    }
  });

  it("is packed after many fetches without any loss", async () => {
    const { remote, open, clone } = followed();
    const upstream = open({}, { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "gc.autoPackLimit", GIT_CONFIG_VALUE_0: "3" });
    const first = await upstream.fetch(run);
    for (const message of ["two", "three", "four", "five"]) {
      remote.commit(message);
      await upstream.fetch(run);
    }

    expect(packsOf(clone()).length).toBeLessThan(4);
    expect(await upstream.obtain(first, run)).toBe(true);
  });
});
