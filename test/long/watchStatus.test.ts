import { expect, it } from "vitest";
import { writeKyma } from "../sync/fleet.ts";
import { pathOf } from "../sync/outside.ts";
import { kymaIn } from "../cli/promoting.ts";
import { documentOf, serving, twoLandscapes } from "../cli/syncing.ts";
import { announcePush, numbers, watching } from "../cli/watching.ts";

it("status shows the controller: a stuck commit, a halted wave, and its end", async (context) => {
  const site = await twoLandscapes(context, { landscape: "dev", soak: "1h" });
  const { dev, repository } = site;
  await writeKyma(dev, "a", [{ name: "certs", channel: "fast", version: "1.0.0" }]);
  site.commit(serving("1.0.0"));
  const controller = await watching(site);
  await controller.logs({ message: "entry moved", landscape: "dev", to: "1.0.0" });
  const served = site.commit(serving("1.1.0"));
  await announcePush(controller.address);
  await controller.logs({ message: "entry moved", landscape: "dev", to: "1.1.0" });
  const [module] = [
    { name: "certs", channel: "fast", version: "1.1.0", state: "Error", fqdn: "example.com/module/certs" },
  ];
  const status = { state: "Error", lastOperation: { operation: "" }, modules: [module] };
  await dev.outside.must("PATCH", `${pathOf("kymas", dev.namespace, "a")}/status`, { status }, "merge-patch");
  await controller.logs({ message: "wave halted", landscape: "dev" });
  repository.write({ "channels/fast.yaml": "format: 9\n" });
  const broken = repository.commit();
  await announcePush(controller.address);
  await controller.logs({ message: "commit held", landscape: "dev", commit: broken });

  const look = async (revision: string) => {
    const args = ["status", "dev", "--revision", revision];
    const text = await kymaIn(repository.path, args);
    const json = await kymaIn(repository.path, [...args, "--format", "json"]);
    const [item] = documentOf("landscape-status", json.stdout).items;
    return { code: text.code, text: text.stdout, item };
  };
  await expect
    .poll(async () => (await look(served)).item, { timeout: 30_000 })
    .toMatchObject({
      lease: { isExpired: false },
      controller: { revision: served, held: { commit: broken }, isStale: false },
    });
  const halted = await look(served);
  expect(halted.code).toBe(1);
  expect(halted.item).toMatchObject({
    entries: [{ wave: { failing: 1, inOrder: 0, halted: {} }, soaks: [{ landscape: "elsewhere", state: "halted" }] }],
  });
  expect(halted.text).toMatch(/^stuck +[0-9a-f]{10}: .*\bchannels\/fast\.yaml:1:/m);
  expect(halted.text).toMatch(
    /^halted +fast\/certs 1\.1\.0: since .*1 user \(Kyma a\) of 1 fail.*sync resume dev certs/m,
  );
  expect(halted.text).toMatch(/^fast +certs +1\.1\.0 +\d+s +0 of 1 \(0%\) +Error +1 failing +elsewhere halted +–$/m);

  expect(await eventsOf(dev, "certs")).toEqual([
    expect.stringMatching(/^Normal EntryMoved fast: nothing → 1\.0\.0, by commit [0-9a-f]{10}$/),
    expect.stringMatching(/^Normal EntryMoved fast: 1\.0\.0 → 1\.1\.0, by commit [0-9a-f]{10}$/),
    expect.stringMatching(/^Warning WaveHalted fast 1\.1\.0: .*Kyma a/),
  ]);

  const [lag] = await numbers(controller.address, "revision_lag_seconds");
  expect(lag).toMatch(/ (0\.\d*[1-9]|[1-9])/);
  expect((await numbers(controller.address, "wave")).join()).toMatch(/landscape="dev".*state="halted"\} 1/);

  await expect
    .poll(() => numbers(controller.address, "clusters"), { timeout: 30_000 })
    .toEqual(['kyma_modules_clusters{landscape="dev",module="certs",channel="fast",version="1.1.0",state="Error"} 1']);

  controller.signal("SIGTERM");
  await controller.ended;
  const gone = await look(served);
  expect(gone.item).toMatchObject({ lease: null, controller: { isStale: true } });
  expect(gone.text).toMatch(/^stale +status: .*\bLease\b.* \d+s$/m);
}, 120_000);

/** What `kubectl describe` shows of a release meta, in the order in which it was told. */
async function eventsOf({ outside, namespace }: Site, name: string): Promise<readonly string[]> {
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name=${name}`;
  const { body } = await outside.send("GET", path);
  const events = body["items"] as readonly EventFields[];
  const byVersion = events.toSorted((a, b) => versionOf(a) - versionOf(b));
  return byVersion.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
}

type Site = Pick<Awaited<ReturnType<typeof twoLandscapes>>["dev"], "outside" | "namespace">;

interface EventFields {
  readonly metadata: { readonly resourceVersion: string };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

function versionOf({ metadata }: EventFields): number {
  return Number(metadata.resourceVersion);
}
