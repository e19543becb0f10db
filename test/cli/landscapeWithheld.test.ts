import { beforeEach, expect, it } from "vitest";
import { forgetIdentity, kymaIn } from "./promoting.ts";
import { documentOf, twoLandscapes, type Item } from "./syncing.ts";

beforeEach(forgetIdentity);

it("status LANDSCAPE does not say that nothing is wanted of a module whose files cannot be used", async (context) => {
  const site = await twoLandscapes(context);
  const sample = { channels: { fast: { certs: "1.1.0", dns: "1.0.0" }, regular: { certs: "1.0.0" } } };
  site.commit(sample);
  await kymaIn(site.repository.path, ["sync", "dev"]);
  site.commit(sample, "break a file", { "channels/regular/certs.yaml": "spec: [" });
  const plan = await kymaIn(site.repository.path, ["plan", "dev", "--without-registry"]);
  expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining("channels/regular/certs.yaml:1:")]);
  expect(plan.stdout).not.toContain("certs");
  const sync = await kymaIn(site.repository.path, ["sync", "dev", "--without-registry"]);
  expect([sync.code, sync.stderr]).toEqual([1, expect.stringContaining("module certs")]);
  const [text, json] = await Promise.all(
    [[], ["--format", "json"]].map((more) => kymaIn(site.repository.path, ["status", "dev", ...more])),
  );
  const [item] = documentOf("landscape-status", json?.stdout ?? "").items;
  const entries = (item?.["entries"] ?? []) as readonly Item[];

  expect([text?.code, json?.code]).toEqual([1, 1]);
  expect(entries.map(({ channel, module, wanted, isWantedKnown }) => [channel, module, wanted, isWantedKnown])).toEqual(
    [
      ["fast", "certs", null, false],
      ["fast", "dns", null, true],
      ["regular", "certs", null, false],
    ],
  );
  expect(text?.stdout).toMatch(/^fast +certs .* \?\nfast +dns .* –\nregular +certs .* \?$/m);
});
