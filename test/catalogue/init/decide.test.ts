import { describe, expect, it } from "vitest";
import { decideInit, type FolderContent } from "../../../src/catalogue/init/decide.ts";

const TARBALL = new Uint8Array([31, 139]);
const WANTED = new Map<string, string | Uint8Array>([
  ["kyma-modules.yaml", "format: 1\n"],
  [".ci/program.tgz", TARBALL],
  [".gitignore", "node_modules/\n"],
  ["README.md", "# ours\n"],
]);

const folder = (
  files: Readonly<Record<string, string | Uint8Array | undefined>>,
  ...others: string[]
): FolderContent => ({
  files: new Map(
    Object.entries(files).map(([path, content]) => [path, content === undefined ? undefined : Buffer.from(content)]),
  ),
  others,
});

describe("a folder that becomes a catalogue", () => {
  it("gets every file when it is empty", () => {
    expect(decideInit(WANTED, folder({}))).toEqual({ kind: "write", files: WANTED, present: [], leftOver: [] });
  });

  it("keeps the files of GitHub", () => {
    const content = folder(
      { "README.md": "# theirs\n", ".gitignore": "dist\r\n/node_modules\r\n" },
      ...["LICENSE", "LICENSE.md", "node_modules"],
    );

    expect(decideInit(WANTED, content)).toMatchObject({
      files: new Map([...WANTED].slice(0, 2)),
      present: [".gitignore", "README.md"],
    });
  });

  it("is completed after an earlier run was killed, without its incomplete files", () => {
    const content = folder({
      "kyma-modules.yaml": "format: 1\n",
      ".ci/.program.tgz.77.tmp": "half",
      ".ci/program.tgz": TARBALL,
      "..gitignore.77.tmp": "",
    });

    expect(decideInit(WANTED, content)).toMatchObject({
      files: new Map([...WANTED].slice(2)),
      present: ["kyma-modules.yaml", ".ci/program.tgz"],
      leftOver: [".ci/.program.tgz.77.tmp", "..gitignore.77.tmp"],
    });
  });

  it.each([
    ["a file of another content", folder({ "kyma-modules.yaml": "format: 2\n" }), "it contains kyma-modules.yaml."],
    ["a link in the place of a file", folder({ "kyma-modules.yaml": undefined }), "it contains kyma-modules.yaml."],
    ["a file beside ours", folder({ ".ci/run": "" }), "it contains .ci/run."],
    ["a temporary file of others", folder({ ".ci/.run.1.tmp": "" }), "it contains .ci/.run.1.tmp."],
    ["anything else", folder({}, "src", "go.mod"), "it contains go.mod, src."],
    ["much", folder({}, "a", "b", "c", "d", "e", "f", "g"), "it contains a, b, c, d, e and 2 more."],
    ["what would be committed", folder({ ".gitignore": "dist/\n" }), ".gitignore does not ignore node_modules/,"],
  ])("is refused when it has %s", (_, content, why) => {
    const decision = decideInit(WANTED, content);

    expect(decision).toEqual({
      kind: "refused",
      why: expect.stringContaining(why) as string,
      remedy: expect.stringContaining("Nothing was written.") as string,
    });
  });
});
