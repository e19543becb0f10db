import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { pathOf } from "../sync/outside.ts";
import { servedIn, serving, twoLandscapes } from "../cli/syncing.ts";
import { announcePush, linesOf, watching } from "../cli/watching.ts";
import { seconds } from "./figures.ts";

const DEV = { landscape: "dev" };
const ELSEWHERE = { landscape: "elsewhere" };

it("a leader that was suspended for longer than its Lease stops writing and becomes a standby", async (context) => {
  const site = await twoLandscapes(context);
  site.commit(serving("1.0.0"));
  const former = await watching(site);
  await former.logs({ message: "lease acquired", ...DEV });
  await former.logs({ message: "entry moved", ...DEV, to: "1.0.0" });
  await former.logs({ message: "entry moved", ...ELSEWHERE, to: "1.0.0" });
  const next = await watching(site);
  await next.logs({ message: "standing by", ...DEV });

  const stoppedMs = performance.now();
  former.signal("SIGSTOP");
  await next.logs({ message: "lease acquired", ...DEV });
  console.log(`a leader that stands still is replaced after ${seconds(stoppedMs)}`);
  site.commit(serving("1.1.0"));
  await announcePush(next.address);
  await next.logs({ message: "entry moved", ...DEV, to: "1.1.0" });
  await next.logs({ message: "entry moved", ...ELSEWHERE, to: "1.1.0" });
  await site.dev.outside.must("DELETE", pathOf("templates", site.dev.namespace, "certs-1.1.0"));
  await next.logs({ message: "object written", ...DEV, object: "ModuleTemplate/certs-1.1.0" });
  await sleep(1_000);
  const before = (await linesOf(former)).length;
  const versions = await site.dev.versions();
  const goesOnMs = performance.now();
  former.signal("SIGCONT");
  await former.logs({ message: "lease given up", ...DEV });
  await former.logs({ message: "standing by", ...DEV });
  console.log(`the former leader stands by ${seconds(goesOnMs)} after it went on`);
  await sleep(3_000);
  const after = (await linesOf(former)).slice(before).filter(({ message }) => /object|entry/.test(String(message)));

  expect(after).toEqual([]);
  expect(await site.dev.versions()).toEqual(versions);
  expect(await servedIn(site.dev, "certs")).toEqual({ fast: "1.1.0" });

  const killedMs = performance.now();
  next.signal("SIGTERM");
  await former.logs({ message: "lease acquired", ...DEV });
  console.log(`SIGTERM hands over within ${seconds(killedMs)}`);
}, 120_000);
