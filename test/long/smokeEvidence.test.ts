import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { forgetIdentity, kymaIn, merge } from "../cli/promoting.ts";
import { managed } from "../smoke/managedModule.ts";
import { writeModule } from "../smoke/sampleModule.ts";
import { emptyFolder, emptyRepository, type Folder } from "../systems/repository.ts";
import { openSmokeSite } from "./smoke/site.ts";

beforeEach(forgetIdentity);

const open = openSmokeSite();
const VERSIONS = { "1.0.0": managed("good", "1.0.0"), "1.1.0": managed("good", "1.1.0") };
const WAITS = /^wait: .*\binstall\b.* good 1\.1\.0 with pods\b/;
const NEEDED = ["good", "--only", "good@1.1.0", "--only", "good@1.0.0..1.1.0"];

/** Fast has served 1.1.0 for nine days, and regular requires smoke tests of it; `origin` is a bare repository. */
function sharedSite(): { readonly site: Folder; readonly bare: Folder } {
  const [site, bare] = [emptyRepository(), emptyFolder()];
  bare.git("init", "--quiet", "--bare", "--initial-branch=main");
  site.git("remote", "add", "origin", bare.path);
  const promotion = { soak: { minor: "7d", patch: "1d" }, merge: "automatic", needs: ["smoke"] };
  const write = (versions: Parameters<typeof writeModule>[2]): void => {
    writeModule(site, "good", versions);
    site.write({
      "kyma-modules.yaml": JSON.stringify({
        format: 1,
        landscapes: [{ name: "dev", controlPlane: { context: "dev" } }],
        forge: { kind: "none" },
      }),
      "channels/regular.yaml": JSON.stringify({
        ...{ format: 1, kind: "release", follows: "fast", landscapes: ["dev"], promotion },
      }),
    });
  };
  write({ "1.0.0": VERSIONS["1.0.0"] });
  merge(site, {}, 100);
  write(VERSIONS);
  merge(site, {}, 9);
  site.git("push", "--quiet", "origin", "HEAD:main");
  return { site, bare };
}

const publish = ({ path }: Folder, report: string): ReturnType<typeof kymaIn> =>
  kymaIn(path, ["evidence", "publish", report]);

async function verdictIn({ path }: Folder): Promise<string> {
  const { stdout } = await kymaIn(path, ["promote"]);
  return /^regular +good +\S+ +\S+ +\S+ +(.*)$/m.exec(stdout)?.[1] ?? stdout;
}

describe("a smoke test with pods", () => {
  it("opens a promotion once it is published, only for this content", async (context) => {
    const { smokeIn } = open(context);
    const { site, bare } = sharedSite();
    expect(await verdictIn(site)).toMatch(WAITS);

    const embedded = join(emptyFolder().path, "report");
    await kymaIn(site.path, ["smoke", ...NEEDED, "--cluster", "embedded", "--report", embedded]);
    expect(await publish(site, embedded)).toMatchObject({ code: 0 });
    expect(await verdictIn(site)).toMatch(WAITS);

    const withPods = join(emptyFolder().path, "report");
    expect(await smokeIn(site.path, ...NEEDED, "--report", withPods).ended).toMatchObject({ code: 0 });
    expect(await publish(site, withPods)).toMatchObject({ code: 0 });
    expect(bare.git("rev-list", "--count", "evidence")).toBe("2");
    expect(await verdictIn(site)).toBe("promote now");

    const fast = JSON.parse(readFileSync(join(site.path, "channels/fast/good.yaml"), "utf8")) as {
      readonly metadata: object;
    };
    const changed = { ...fast, metadata: { ...fast.metadata, annotations: { "example.com/other": "content" } } };
    merge(site, { "channels/fast/good.yaml": JSON.stringify(changed) }, 8);
    expect(await verdictIn(site)).toMatch(/^blocked: 1\.1\.0 .*\btwo contents\b/);
  });
});
