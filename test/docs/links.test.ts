import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { RULES } from "../../src/check/rules.ts";
import { root } from "../house/clone.ts";

const OWN =
  /https:\/\/(?:github\.com\/kyma-project\/kyma-modules\/blob|raw\.githubusercontent\.com\/kyma-project\/kyma-modules)\/main\/([-./\w]*\w)(?:#([-\w]+))?/g;
const RELATIVE = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const CODE = /^```[^]*?^```$|`[^`\n]*`/gm;

const files = (...globs: readonly string[]): readonly string[] => globSync(globs, { cwd: root }).toSorted();
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  const headings = page.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** What is wrong with a link to `path`, below the root of this repository. */
function problemOf(path: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, path))) return `${path} does not exist`;
  if (anchor === undefined || anchorsOf(read(path)).includes(anchor)) return undefined;
  return `${path} has no heading #${anchor}`;
}

describe("a link", () => {
  it.each(files("*.md", ".github/**/*.md"))("of %s leads to a file and a heading that exist", (page) => {
    const links = [...read(page).replaceAll(CODE, "").matchAll(RELATIVE)];
    const targetOf = (path: string): string => relative(root, join(root, dirname(page), path));

    expect(
      links.flatMap(([, path = "", anchor]) => problemOf(path === "" ? page : targetOf(path), anchor) ?? []),
    ).toEqual([]);
  });

  it("of the program, its schemas and its workflows to this repository leads there", () => {
    const sources = files("src/**/*.{ts,js}", "schemas/**/*.json", ".github/workflows/*.yaml", ".ci/*", "package.json");
    const links = sources.flatMap((path) => [...read(path).matchAll(OWN)]);

    expect(links.length).toBeGreaterThan(RULES.length / 2);
    expect(links.flatMap(([, path = "", anchor]) => problemOf(path, anchor) ?? [])).toEqual([]);
  });

  it.each(RULES)("is what $id names where it cites a page", ({ source }) => {
    expect(source.replaceAll(/https:\S+/g, "")).not.toMatch(/\.\.\/|\.md\b|README/);
  });
});
