import { expect, it } from "vitest";
import { mentions } from "../support/mentions.ts";
import { kymaIn } from "./promoting.ts";
import { serving, twoLandscapes } from "./syncing.ts";
import { emptyFolder } from "../systems/repository.ts";

it("sync --watch ends when the settings have none of the landscapes", async (context) => {
  const site = await twoLandscapes(context);
  site.commit(serving("1.0.0"));
  const args = ["sync", "--watch", "moon", "mars", "--cache", emptyFolder().path, "--listen", "127.0.0.1:0"];
  const { code, stderr } = await kymaIn(site.repository.path, args);

  expect(stderr).toEqual(mentions("error: kyma-modules.yaml", "landscape moon", "dev, elsewhere"));
  expect(code).toBe(2);
});
