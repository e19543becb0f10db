import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogueFiles } from "../../../src/catalogue/init/files.ts";
import type { InitRequest } from "../../../src/catalogue/init/settings.ts";
import { codeownersText, CODEOWNERS_PATH } from "../../../src/catalogue/codeowners.ts";
import { parse, type Parsing } from "../../../src/catalogue/parse.ts";
import { root } from "../../house/clone.ts";

const OWN = new Map(
  globSync(["channels/**/*.yaml", "modules/**/*.yaml", ".github/workflows/*.yaml"], { cwd: root }).map((path) => [
    path,
    readFileSync(join(root, path), "utf8"),
  ]),
);
const GITHUB = { organization: "my-org", name: "catalogue" };

const parsed = (files: ReadonlyMap<string, string>): Parsing =>
  parse(undefined, new Map([...files].map(([path, text]) => [path, { kind: "bytes", bytes: Buffer.from(text) }])));

const REQUESTS: readonly (readonly [string, InitRequest])[] = [
  ["nothing", { sample: false, github: undefined }],
  ["a sample", { sample: true, github: undefined }],
  ["a repository of GitHub", { sample: false, github: GITHUB }],
  ["a sample on GitHub", { sample: true, github: GITHUB }],
];

describe.each(REQUESTS)("the files of a new catalogue, asked for %s", (_, request) => {
  const files = catalogueFiles(request, OWN);
  const text = (path: string): string => files.get(path) ?? "";

  it("are a valid catalogue with the right CODEOWNERS", () => {
    const parsing = parsed(files);
    if (parsing.kind === "refused") throw new Error(JSON.stringify(parsing.findings));

    expect(parsing.catalogue.findings).toEqual([]);
    expect(codeownersText(parsing.catalogue, text(CODEOWNERS_PATH))).toBe(text(CODEOWNERS_PATH));
    expect(parsing.catalogue.settings.forge).toEqual(
      request.github === undefined
        ? { kind: "none" }
        : { kind: "github", repository: "my-org/catalogue", base: "main" },
    );
  });

  it("name only teams of its organization, and no logins", () => {
    const organization = request.github === undefined ? "example" : "my-org";
    const owners = text(CODEOWNERS_PATH).match(/@\S+/g) ?? [];

    expect(owners.length).toBeGreaterThan(0);
    for (const owner of owners) expect(owner).toMatch(new RegExp(`^@${organization}/`));
    expect(text(".github/teams.yaml")).toContain(`"@${organization}/release-managers": []`);
  });

  it("have the workflows of this repository, with the program in its npm folder", () => {
    for (const name of ["submission", "evidence", "promotion", "dashboard", "sync"]) {
      const path = `.github/workflows/${name}.yaml`;
      const own = text(path).replaceAll("base/node_modules/kyma-modules/", "base/");

      expect(own).toBe(OWN.get(path));
      expect(text(path)).not.toContain("base/.ci/");
    }
    const { files: packed } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
    expect(packed).toContain(".ci/approvals.js");
    expect([...files.keys()].filter((path) => path.startsWith(".github/workflows/"))).toHaveLength(6);
  });

  it("refer editors to the schemas of the installed program", () => {
    for (const [path, content] of files) {
      const [, schema] = /\$schema=(\S+)/.exec(content) ?? [];
      if (schema === undefined) continue;
      const inCatalogue = join(path, "..", schema);
      expect(inCatalogue).toMatch(/^node_modules\/kyma-modules\/schemas\//);
      expect(() => readFileSync(join(root, inCatalogue.replace("node_modules/kyma-modules/", "")))).not.toThrow();
    }
  });
});

describe("the sample", () => {
  const files = catalogueFiles({ sample: true, github: undefined }, OWN);

  it("has modules in every state, and images in a reserved registry", () => {
    expect([...files.keys()].filter((path) => /^channels\/.+\//.test(path))).toEqual([
      ...["channels/fast/certificates.yaml", "channels/fast/object-store.yaml", "channels/mandatory/audit-log.yaml"],
      ...["channels/regular/certificates.yaml", "channels/regular/object-store.yaml"],
    ]);
    for (const text of [...files].filter(([path]) => /^(channels|modules)\//.test(path)).map(([, content]) => content))
      expect(text).not.toContain("europe-docker.pkg.dev");
  });

  it("names each manifest by its digest", () => {
    const templates = [...files].filter(([path]) => /^channels\/.+\/|template\.yaml$/.test(path));

    for (const [, template] of templates) {
      const [, module = "", version = ""] = /moduleName: (\S+)\n {2}version: (\S+)/.exec(template) ?? [];
      const manifest = files.get(`modules/${module}/${version}/manifest.yaml`) ?? "";
      expect(template).toContain(`sha256:${createHash("sha256").update(manifest).digest("hex")}`);
    }
  });

  it("does not change a manifest without our images, and owners outside our organization", () => {
    const own = new Map([["modules/audit-log/1.0.0/manifest.yaml", "kind: Namespace\n"]]);

    expect(catalogueFiles({ sample: true, github: undefined }, own).get("modules/audit-log/1.0.0/manifest.yaml")).toBe(
      "kind: Namespace\n",
    );
  });

  it("has CODEOWNERS even if the program's own files are broken", () => {
    const own = new Map([["channels/fast.yaml", "format: ["]]);

    expect(catalogueFiles({ sample: true, github: undefined }, own).get(CODEOWNERS_PATH)).toContain("@example/");
  });
});
