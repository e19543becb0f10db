import { describe, expect, it } from "vitest";
import { namedTemplates } from "../../src/kubernetes/releaseMeta.ts";
import { Fault, type ControlPlane } from "../../src/ports.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { results, summary } from "./planning.ts";
import { sharedWorld, type World } from "./world.ts";

const LETTERS = "a b c d e f g h i j k l m n o p q r s t u v w x y z".split(" ");
const modules = LETTERS.flatMap((letter) =>
  ["module", "other"].map((kind) => [`${kind}-${letter.repeat(3)}`, "1.0.0"] as const),
);
const catalogue = catalogueOf({ channels: { fast: Object.fromEntries(modules) } });

const RECORDS = "configmaps kyma-modules-entries";

/** The live objects of the world, without fields that the API server generates. */
async function stateOf(world: World): Promise<unknown> {
  const lists = await Promise.all((["templates", "metas"] as const).map((kind) => world.list(kind)));
  return lists.flat().map(({ metadata: { name, labels, annotations }, spec }) => ({ name, labels, annotations, spec }));
}

describe("a sync that is interrupted", () => {
  it("starts no more writes, finishes those that were sent, reports what was done, and is completed by the next", async (context) => {
    const [world, undisturbed] = [await sharedWorld(context), await sharedWorld(context)];
    const interruption = new AbortController();
    let done = 0;
    const { outcomes, interrupted } = await world.sync(catalogue, {
      run: quietRun(interruption.signal),
      onOutcome: () => {
        done += 1;
        if (done === 5) interruption.abort(new Error("interrupted"));
      },
    });
    const written = Object.keys(await world.versions()).filter((name) => !name.includes("kube-root-ca"));

    expect(interrupted).toBe(true);
    expect(outcomes.every(({ result }) => result === "done")).toBe(true);
    expect(outcomes.length).toBeLessThan(modules.length);
    expect(written).toContain(RECORDS);
    expect(written.filter((name) => name !== RECORDS)).toHaveLength(outcomes.length);
    const templates = new Set((await world.list("templates")).map(({ metadata }) => metadata.name));
    const named = (await world.list("metas")).flatMap(namedTemplates);

    expect(named.filter((name) => !templates.has(name))).toEqual([]);

    const completing = await world.sync(catalogue);
    await undisturbed.sync(catalogue);

    expect(completing.interrupted).toBe(false);
    expect(results(completing)).toHaveLength(2 * modules.length + 1 - outcomes.length);
    expect(summary((await world.prepare(catalogue)).plan)).toEqual([]);
    expect(JSON.stringify(await stateOf(world)).replaceAll(/applyset-[^"]*|sha256:[^"]*/g, "")).toBe(
      JSON.stringify(await stateOf(undisturbed)).replaceAll(/applyset-[^"]*|sha256:[^"]*/g, ""),
    );
  });

  it("before its start writes nothing, and during planning ends with the reason", async (context) => {
    const world = await sharedWorld(context);
    const interruption = new AbortController();
    const run = quietRun(interruption.signal);
    const before = await world.versions();
    const { outcomes, interrupted } = await world.sync(catalogue, {
      run,
      meanwhile: () => {
        interruption.abort(new Error("interrupted"));
        return Promise.resolve();
      },
    });

    expect([outcomes, interrupted]).toEqual([[], true]);
    await expect(world.prepare(catalogue, { run })).rejects.toThrow("interrupted");
    expect(await world.versions()).toEqual(before);
  });

  it("before its removals removes nothing", async (context) => {
    const world = await sharedWorld(context);
    const smaller = catalogueOf({ channels: { fast: Object.fromEntries(modules.slice(2)) } });
    await world.sync(catalogue);
    const interruption = new AbortController();
    const { outcomes, interrupted } = await world.sync(smaller, {
      prune: true,
      run: quietRun(interruption.signal),
      onOutcome: ({ item }) => {
        if (item.kind === "prune") interruption.abort(new Error("interrupted"));
      },
    });

    expect(interrupted).toBe(true);
    expect(outcomes.filter(({ item }) => item.kind === "prune" && item.object.kind === "ModuleTemplate")).toEqual([]);
    expect(await world.list("templates")).toHaveLength(modules.length);

    await world.sync(smaller, { prune: true });

    expect(await world.list("templates")).toHaveLength(modules.length - 2);
  });

  it("while it reads the users again before a removal removes nothing, and refuses nothing", async (context) => {
    const world = await sharedWorld(context);
    const smaller = catalogueOf({ channels: { fast: Object.fromEntries(modules.slice(2)) } });
    await world.sync(catalogue);
    const interruption = new AbortController();
    const { controlPlane } = world;
    const prepared = await world.prepare(smaller, { prune: true });
    const listing: ControlPlane = {
      ...controlPlane,
      list: (...args) => {
        interruption.abort(new Error("interrupted"));
        return controlPlane.list(...args);
      },
    };
    const { sync } = await import("../../src/sync/sync.ts");
    const { outcomes, interrupted } = await sync(
      prepared,
      { controlPlane: listing, clock: systemClock, writes: () => new AbortController().signal },
      { outcome: () => undefined, entry: () => undefined },
      quietRun(interruption.signal),
    );

    expect(interrupted).toBe(true);
    const removals = outcomes.filter(({ item }) => item.kind === "prune");

    expect(removals.map(({ result }) => result)).toEqual(removals.map(() => "skipped"));
    expect(outcomes.filter(({ item }) => item.kind === "refused")).toEqual([]);
    expect(await world.list("metas")).toHaveLength(modules.length);
    expect(await world.list("templates")).toHaveLength(modules.length);
  });
});

describe("a control plane that is lost", () => {
  it("gets no further requests for the remaining objects", async (context) => {
    const world = await sharedWorld(context);
    let asked = 0;
    const lost: ControlPlane = {
      ...world.controlPlane,
      apply: (desired, expected, run) => {
        if (desired.kind === "ConfigMap") return world.controlPlane.apply(desired, expected, run);
        asked += 1;
        return Promise.reject(new Fault("CLUSTER_UNREACHABLE", "it cannot be reached", { retry: true }));
      },
    };
    const { outcomes } = await world.sync(catalogue, { controlPlane: lost });

    expect(asked).toBe(20);
    expect(outcomes.filter(({ result }) => result === "failed")).toHaveLength(20);
    expect(outcomes).toHaveLength(2 * modules.length + 1);
    expect(results({ entries: [], outcomes, interrupted: false })).toContainEqual(
      mentions("skipped other-zzz-1.0.0:", "control plane", "it cannot be reached"),
    );
  });
});
