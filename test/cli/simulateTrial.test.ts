import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HEADER } from "../promote/simulate/tables.ts";
import { mentions } from "../support/mentions.ts";
import { run, start } from "./program.ts";
import { tableSite } from "./tableSite.ts";

describe("a trial policy", () => {
  it.each<readonly [what: string, policy: object, option: readonly string[], message: RegExp]>([
    ["itself", { follows: "fast" }, ["--channel", "fast"], /regular\.yaml .*\(fast → fast\).*--channel NAME/],
    ["an unserved version", { follows: "nightly" }, [], /follows nightly\b.*\.csv\b.*: fast, regular\b/],
    ["a mandatory channel", { follows: "core" }, [], /regular\.yaml .*\bregular\b.*\bcore is mandatory\b/],
  ])("refuses a policy that follows %s", async (_, policy, option, message) => {
    const { folder, args } = tableSite();
    folder.write({ "channels/core.yaml": JSON.stringify({ format: 1, kind: "mandatory", landscapes: ["dev"] }) });
    folder.write({ "regular.yaml": JSON.stringify({ format: 1, landscapes: ["dev"], ...policy }) });
    const { code, stdout, stderr } = await run([...args, ...option]);

    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it.each<readonly [what: string, policy: object, channel: string, parts: readonly string[]]>([
    ["a mandatory channel", { kind: "mandatory" }, "core", ["regular.yaml", "mandatory channel", "kind release"]],
    ["a channel that follows none", {}, "fast", ["fast", "no channel", "regular"]],
    ["an unknown channel", {}, "slow", ["regular.yaml", "channel slow", "follows: NAME"]],
  ])("is for no channel that can be promoted into: %s", async (_, policy, channel, parts) => {
    const { folder, args } = tableSite();
    folder.write({
      "channels/core.yaml": JSON.stringify({ format: 1, kind: "mandatory", landscapes: ["dev"] }),
      "channels/fast.yaml": JSON.stringify({ format: 1, landscapes: ["dev"] }),
      "channels/regular.yaml": JSON.stringify({ format: 1, follows: "fast", landscapes: ["dev"] }),
      "regular.yaml": JSON.stringify({ format: 1, landscapes: ["dev"], ...policy }),
    });
    const { code, stdout, stderr } = await run([...args, "--channel", channel]);

    expect(stderr).toEqual(mentions("error:", ...parts));
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("is for the channel of its file name, even if another channel is the only following one", async () => {
    const { folder, args } = tableSite();
    folder.write({
      "channels/fast.yaml": JSON.stringify({ format: 1, landscapes: ["dev"] }),
      "channels/regular.yaml": JSON.stringify({ format: 1, follows: "fast", landscapes: ["dev"] }),
    });
    const { code, stderr } = await run([...args, "--policy", join(folder.path, "channels/fast.yaml")]);

    expect([code, stderr]).toEqual([2, mentions("error: fast", "no channel")]);
  });

  it("names its inputs from the catalogue, and that a policy holds nothing", async () => {
    const { folder, args } = tableSite();
    folder.write({
      "kyma-modules.yaml": JSON.stringify({
        format: 1,
        landscapes: [
          { name: "dev", controlPlane: { context: "dev" } },
          {
            name: "prod",
            controlPlane: { context: "prod" },
            after: { landscape: "dev", soak: "2d", hotfixSoak: "1h" },
          },
        ],
      }),
      "channels/fast.yaml": JSON.stringify({ format: 1, landscapes: ["dev", "prod"] }),
      "channels/regular.yaml": JSON.stringify({ format: 1, follows: "fast", landscapes: ["dev"] }),
      "regular.yaml": JSON.stringify({ format: 1, landscapes: ["dev"] }),
    });
    const { code, stdout } = await run(args);
    const assumed = stdout.split("\n").filter((line) => line.startsWith("assumed: "));

    expect(code).toBe(0);
    expect(assumed.map((line) => line.replaceAll(`${folder.path}/`, ""))).toEqual([
      mentions("assumed: regular.yaml", "channel regular", "fast", "channels/regular.yaml"),
      mentions("assumed: regular.yaml", "soak", "first, patch, minor, major", "regular"),
      mentions("assumed:", "fast", "2d", "1h", "hot-fix", "kyma-modules.yaml"),
    ]);
  });
});

describe("the report of simulate", () => {
  it("has the same content as page and as text", async () => {
    const { folder, args } = tableSite();
    const page = join(folder.path, "page.html");
    const { stdout } = await run([...args, "--format", `text,html=${page}`]);
    const html = readFileSync(page, "utf8");
    const [title = ""] = stdout.split("\n");
    const sections = [...stdout.matchAll(/^(\S.*) \(\d+\)$/gm)].map(([line]) => line);

    expect(title).toMatch(/^Simulation of history\.csv under .*regular\.yaml$/);
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html.match(/<summary>[^<]+ \(\d+\)/g)).toEqual(sections.map((line) => `<summary>${line}`));
    for (const [, name = "", text = ""] of stdout.matchAll(/^(replayed|policy|decided|table|assumed): (.*)$/gm))
      expect(html).toContain(`<dt>${name}</dt><dd>${text}</dd>`);
  });

  it("stops on an interruption, without a report", async () => {
    const days = Array.from({ length: 60 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString());
    const rows = Array.from({ length: 300 }, (_, module) =>
      days.map((at, day) => `${at},c${String(day)},f,m${String(module)},fast,,1.${String(day)}.0`),
    );
    const { folder, args } = tableSite([HEADER, "2024-01-01T00:00:00Z,c,f,No,fast,,1.0.0", ...rows.flat()].join("\n"));
    const page = join(folder.path, "page.html");
    const program = start([...args, "--format", `text,html=${page}`]);
    await program.says(/No/);
    program.signal("SIGINT");
    const { code, stdout } = await program.ended;

    expect([code, stdout, existsSync(page)]).toEqual([130, "", false]);
  });
});
