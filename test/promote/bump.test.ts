import { expect, it } from "vitest";
import type { ChannelName, ModuleName } from "../../src/catalogue/names.ts";
import { SAMPLE, templateText } from "../../src/check/example.ts";
import type { Forge } from "../../src/ports.ts";
import { bumpBody } from "../../src/promote/bump/body.ts";
import { prepareBump, type BumpWorld } from "../../src/promote/bump/bump.ts";
import { snapshot } from "../catalogue/repository.ts";
import { quietRun } from "../support/quietRun.ts";
import { version } from "./verdict/timeline.ts";

const BASE = "0123456789abcdef0123456789abcdef01234567";
const TARGET = { module: "sample" as ModuleName, version: version("1.2.0"), channel: "fast" as ChannelName };

const unused = (): never => expect.unreachable();
const forge: Forge = {
  look: () => Promise.resolve({ base: BASE, hasPulls: false, proposals: [] }),
  ...{ propose: unused, close: unused, merge: unused, mergeTimes: unused },
};
const world: BumpWorld = {
  history: { read: unused, brought: unused, contents: unused },
  namedFiles: { read: unused, readOne: unused },
  openForge: unused,
  resolve: () => Promise.resolve(BASE),
  source: () => ({ snapshot: () => Promise.resolve({ revision: BASE, files: snapshot(SAMPLE) }) }),
  openBranches: () => Promise.resolve(forge),
  links: () => Promise.resolve({ download: () => Promise.resolve(Buffer.from(templateText("fast", "1.2.0"))) }),
};

it("names the address of a template without its query, which may be a token, also in the pull request", async () => {
  const template = "https://example.com/org/download/keda@1.2.0/template.yaml?token=GHSAT0SECRET#access_token=SECRET";
  const bump = await prepareBump({ ...TARGET, template, pullRequest: false }, world, quietRun());
  if (bump.kind === "unreadable") return expect.unreachable();

  expect(bump.origin).toBe("https://example.com/org/download/keda@1.2.0/template.yaml");
  expect(bumpBody(bump, { text: "", rulesNotRun: 0 })).not.toContain("SECRET");
});
