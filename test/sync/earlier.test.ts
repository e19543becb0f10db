import { expect, it } from "vitest";
import { parseLandscapeName } from "../../src/catalogue/names.ts";
import { Fault, type ControlPlane, type Log, type SteadyClock } from "../../src/ports.ts";
import { EarlierUsers } from "../../src/sync/earlier.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";

const MINUTE = 60_000;

/** Reads the users of dev again and again. */
function reading() {
  let [nowMs, lists, isAllowed] = [0, 0, true];
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const log: Log = { info: tell, warn: tell, with: () => log };
  const clock: SteadyClock = { nowMs: () => nowMs, elapsedMs: () => nowMs, pause: () => Promise.resolve() };
  const list = async function* (): ReturnType<ControlPlane["list"]> {
    lists += 1;
    if (!isAllowed) throw new Fault("CLUSTER_FORBIDDEN", "may not list");
    yield await Promise.resolve({ objects: [], resourceVersion: "1" });
  };
  const users = new EarlierUsers(clock);
  const name = parseLandscapeName("dev");
  if (name === undefined) throw new Error("dev is a name");
  return {
    told,
    lists: () => lists,
    forbid: (isForbidden: boolean) => void (isAllowed = !isForbidden),
    readAfter: (ms: number) => {
      nowMs += ms;
      return users.read({ name, namespace: "kcp-system" }, { list } as never, { ...quietRun(), log });
    },
  };
}

it("the users of an earlier landscape are listed once a minute, however often a controller plans", async () => {
  const { readAfter, lists } = reading();
  const reads = [];
  for (const ms of [0, MINUTE - 1, 1, MINUTE - 1]) reads.push(await readAfter(ms));

  expect(lists()).toBe(2 * 2); // Kymas and Manifests
  expect(reads.map(({ atMs }) => atMs)).toEqual([0, 0, MINUTE, MINUTE]);
});

it("a missing permission to list them is logged when it begins and when it ends", async () => {
  const { readAfter, forbid, told } = reading();
  for (const isForbidden of [false, true, true, false, false]) {
    forbid(isForbidden);
    await readAfter(MINUTE);
  }

  expect(told).toEqual([mentions("clusters", "not counted"), mentions("clusters", "counted again")]);
});
