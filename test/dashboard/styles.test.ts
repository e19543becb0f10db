import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOM = join(import.meta.dirname, "../../src/dashboard");
const textsOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOM }).map((path) => readFileSync(join(ROOM, path), "utf8"));

const STYLE = textsOf("styles/*.css").join("\n");
const CODE = textsOf("**/*.ts").join("\n");
const CLASSES = [...new Set(STYLE.match(/(?<=\.)[a-z][\w-]*(?=[^{}]*\{)/g))];

/** Each rule with the media query around it. */
function rulesIn(style: string): readonly { readonly selector: string; readonly body: string }[] {
  let media = "";
  return [...style.matchAll(/^( *)([^{}]+) \{\n((?:^ *[\w-]+:[^{}]*;\n)*)/gm)].map(
    ([, indent = "", selector = "", body = ""]) => {
      if (indent === "") media = selector.startsWith("@") ? selector : "";
      return { selector: `${media} ${selector}`, body: `${media} ${body}` };
    },
  );
}

/** The values that occur more than once. */
function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, place) => values.indexOf(value) < place);
}

describe("the style sheets of pages", () => {
  it("name classes by at least two whole words, so that a search finds only the class", () => {
    expect(CLASSES.filter((name) => !/^[a-z]{2,}(-([a-z]{3,}|\d))+$/.test(name))).toEqual([]);
  });

  it("have no class that no page uses", () => {
    // Of a class that is put together, such as heat-shade-${shade}, the page has the first or the last part.
    const isUsed = (name: string): boolean =>
      [name, name.replace(/\d$/, "${"), name.replace(/^.*(?=-mark$)/, "}")].some((part) => CODE.includes(part));

    expect(CLASSES.filter((name) => !isUsed(name))).toEqual([]);
  });

  it("have no selector twice, and no two rules that say the same", () => {
    // One declaration may stand in two places, such as `display: none`.
    const rules = rulesIn(STYLE).filter(({ body }) => body.trim().endsWith(";"));

    expect(rules.length).toBeGreaterThan(100);
    expect(repeated(rules.map(({ selector }) => selector))).toEqual([]);
    expect(repeated(rules.map(({ body }) => body).filter((body) => body.split(";").length > 2))).toEqual([]);
  });
});
