import { beforeEach, expect, it } from "vitest";
import { openOutput } from "../../src/cli/terminal/output.ts";
import { rolloutCommand } from "../../src/cli/rollout/command.ts";
import { quietRun } from "../support/quietRun.ts";
import { openWindow } from "../support/browser.ts";
import { writeKyma } from "../sync/fleet.ts";
import { emptyFolder } from "../systems/repository.ts";
import { forgetIdentity, kymaIn } from "./promoting.ts";
import { serving, twoLandscapes } from "./syncing.ts";

beforeEach(forgetIdentity);

it("the card of a roll-out is one page that escapes text from clusters", async (context) => {
  const site = await twoLandscapes(context);
  site.commit(serving("1.1.0"));
  await kymaIn(site.repository.path, ["sync", "dev"]);
  const message = "<script>document.title='run'</script><img src=x onerror=alert(1)> & more";
  await writeKyma(site.dev, "a", [{ name: "certs", channel: "fast", version: "1.0.0", state: "Error", message }], {
    conditions: [
      { type: "Modules", status: "False", reason: "Ready", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" },
    ],
  });
  const discarded = { write: () => undefined };
  const formats = [{ format: "html", file: "card.html" }];
  const output = openOutput({ stdout: discarded, stderr: discarded }, { formats, color: "never", variables: {} });
  const arguments_ = { repo: site.repository.path, revision: "HEAD", module: "certs", watch: false };
  const code = await rolloutCommand(arguments_, output, quietRun());
  const html = output.files().get("card.html") ?? "";
  const folder = emptyFolder();
  folder.write({ "card.html": html });

  expect(code).toBe(0);
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toMatch(/<script|<img|<link|src=x onerror=alert\(1\)>/);
  expect(html).toContain("<h2>elsewhere</h2>");
  const window = await openWindow(context);
  const page = await window.newPage();
  await page.goto(`file://${folder.path}/card.html`);
  expect(await page.title()).toBe("Roll-out of certs");
  expect(await page.locator("img, script").count()).toBe(0);
  expect(await page.locator("table").count()).toBe(2);
  expect(await page.locator("body").innerText()).toContain("Error with 1.0.0: <script>document.title=");
});
