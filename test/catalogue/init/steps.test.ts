import { describe, expect, it } from "vitest";
import { nextSteps, type NewCatalogue } from "../../../src/catalogue/init/steps.ts";

const HERE: NewCatalogue = { request: { sample: true, github: undefined }, folder: ".", isLocked: true, git: "none" };
const GITHUB = { organization: "org", name: "name" };
const commands = (situation: Partial<NewCatalogue>): readonly string[] =>
  nextSteps({ ...HERE, ...situation }).map(({ command }) => command);

describe("the steps after init", () => {
  it("lead to the first sync", () => {
    expect(commands({})).toEqual([
      "npm ci",
      "npx kyma-modules check",
      "git init --initial-branch=main",
      "git add .",
      'git commit -m "Begin the catalogue"',
      "npx kyma-modules demo --once",
      "npx kyma-modules plan dev",
      "npx kyma-modules sync dev",
    ]);
  });

  it("begin with cd, quoted for a shell", () => {
    expect(commands({ folder: "../a" })[0]).toBe("cd ../a");
    expect(commands({ folder: "it's $HOME" })[0]).toBe(`cd 'it'\\''s $HOME'`);
  });

  it("create the lock file when npm was not available", () => {
    expect(commands({ isLocked: false }).slice(0, 2)).toEqual(["npm install --package-lock-only", "npm ci"]);
  });

  it("import a first module when there is none", () => {
    const request = { sample: false, github: undefined };

    expect(commands({ request })[1]).toBe("npx kyma-modules import template.yaml");
  });

  it("continue with GitHub, using an existing remote", () => {
    const request = { sample: true, github: GITHUB };
    const [remote, push] = [
      "git remote add origin https://github.com/org/name.git",
      "git push --set-upstream origin HEAD",
    ];

    expect(commands({ request, git: "repository" }).slice(-2)).toEqual([remote, push]);
    expect(commands({ request, git: "clone" }).slice(-2)).toEqual(["npx kyma-modules sync dev", push]);
    expect(commands({ request, git: "clone" })).not.toContain("git init --initial-branch=main");
  });
});
