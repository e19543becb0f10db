import { expect, it } from "vitest";
import { emptyFolder } from "../systems/repository.ts";
import { run } from "../cli/program.ts";
import { openTrain } from "../cli/train.ts";
import { mentions } from "../support/mentions.ts";

it("gives up on an unreachable GitHub, names the address, and writes nothing", async () => {
  const { clone, double } = await openTrain();
  // Nothing listens there any more.
  const { url } = double;
  await double.close();
  const environment = { GITHUB_API_URL: url, GITHUB_TOKEN: "ghp_persons", XDG_CACHE_HOME: emptyFolder().path };
  const before = clone.git("for-each-ref");
  const { host } = new URL(url);

  for (const args of [
    ["promote"],
    ["promote", "--apply"],
    ["hold", "sample@1.0.0", "--reason", "x", "--by", "octocat"],
  ])
    expect(await run([...args, "--repo", clone.path], environment)).toEqual({
      code: 3,
      stdout: "",
      stderr: mentions(host, "GITHUB_API_URL", "network"),
    });
  expect(clone.git("for-each-ref")).toBe(before);
});
