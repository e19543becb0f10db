import { describe, expect, it } from "vitest";
import type { SnapshotFile } from "../../../src/document/snapshot.ts";
import type { UnsignedCommit } from "../../../src/ports.ts";
import type { Ancestry } from "../../../src/sync/plan/input.ts";
import { Revisions, type RevisionChoice } from "../../../src/sync/controller/revisions.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { filesOf } from "../catalogueFiles.ts";

const FILES = filesOf({ channels: { fast: { certs: "1.0.0", keda: "1.0.0" } } });
const BROKEN_SETTINGS = new Map([...FILES, ["kyma-modules.yaml", "format: 7"]]);
const BROKEN_MODULE = new Map([...FILES, ["channels/fast/certs.yaml", "kind: nothing"]]);

/** The repository of a test. */
interface Repository {
  /** By commit; there are no others. */
  readonly files: Readonly<Record<string, ReadonlyMap<string, string>>>;
  readonly ancestry?: Ancestry;
  /** By tip; signatures are required if it is given. */
  readonly unsigned?: Readonly<Record<string, readonly UnsignedCommit[]>>;
}

interface Revised {
  readonly choose: (tip: string, recorded?: string) => Promise<RevisionChoice>;
  /** The commits that were read, in order. */
  readonly read: readonly string[];
}

function revisionsOf({ files, ancestry = "forward", unsigned }: Repository): Revised {
  const read: string[] = [];
  const revisions = new Revisions({
    upstream: {
      obtain: (commit) => Promise.resolve(commit in files),
      unsigned: (_, to) => Promise.resolve(unsigned?.[to] ?? []),
    },
    clock: { nowMs: () => 0 },
    requiresSignatures: unsigned !== undefined,
    source: (commit) => ({
      snapshot: (wants) => {
        read.push(commit);
        const wanted = [...(files[commit] ?? new Map<string, string>())].filter(([path]) => wants(path));
        const bytes = wanted.map(([path, text]): [string, SnapshotFile] => [
          path,
          { kind: "bytes", bytes: Buffer.from(text) },
        ]);
        return Promise.resolve({ revision: commit, files: new Map(bytes) });
      },
    }),
    ancestry: () => Promise.resolve(ancestry),
  });
  return { choose: (tip, recorded) => revisions.choose(tip, recorded, quietRun()), read };
}

const UNSIGNED: UnsignedCommit = { commit: "new", author: "Mallory", why: "no signature" };

describe("the commit that a landscape is to serve", () => {
  it("is the tip of the branch, whatever was served before; each commit is read once", async () => {
    const { choose, read } = revisionsOf({ files: { old: FILES, new: FILES } });

    expect(await choose("new")).toMatchObject({ serves: { commit: "new" }, held: undefined });
    expect(await choose("new", "old")).toMatchObject({ serves: { commit: "new" }, held: undefined });
    expect(await choose("new", "new")).toMatchObject({ serves: { commit: "new" }, held: undefined });
    expect(read).toEqual(["new"]);
  });

  it("is the tip without the module that has an error", async () => {
    const { serves, held } = await revisionsOf({ files: { new: BROKEN_MODULE } }).choose("new");

    expect([...(serves?.catalogue.withheld ?? [])]).toEqual(["certs"]);
    expect(held).toBe(undefined);
  });

  it("is the previous one while the settings of the tip are broken", async () => {
    const { choose } = revisionsOf({ files: { old: FILES, new: BROKEN_SETTINGS } });

    expect(await choose("new", "old")).toMatchObject({ serves: { commit: "old" }, held: { commit: "new" } });
  });

  it.for<[string, string | undefined]>([
    ["served nothing before", undefined],
    ["serves that same commit", "new"],
  ])("does not exist if the tip is broken and the landscape %s", async ([, recorded]) => {
    const { choose } = revisionsOf({ files: { new: BROKEN_SETTINGS } });

    expect(await choose("new", recorded)).toMatchObject({ serves: undefined, held: { commit: "new" } });
  });

  it("is the previous one if the branch was rewritten", async () => {
    const { choose, read } = revisionsOf({ files: { old: FILES, new: FILES }, ancestry: "unrelated" });
    const reason = expect.stringContaining("rewritten") as string;

    expect(await choose("new", "old")).toMatchObject({ serves: { commit: "old" }, held: { commit: "new", reason } });
    expect(read).toEqual(["old"]);
  });

  it("is the previous one if the branch merged it like a side branch", async () => {
    const { choose, read } = revisionsOf({ files: { old: FILES, new: FILES }, ancestry: "aside" });
    const remedy = mentions("Rebase", "old", "--rewind") as string;

    expect(await choose("new", "old")).toMatchObject({ serves: { commit: "old" }, held: { commit: "new", remedy } });
    expect(read).toEqual(["old"]);
  });

  it("does not exist if the branch was rewritten and the remote no longer has the previous one", async () => {
    const { choose } = revisionsOf({ files: { new: FILES } });

    const reason = mentions("old", "rewritten", "another repository") as string;

    expect(await choose("new", "old")).toMatchObject({ serves: undefined, held: { commit: "new", reason } });
  });

  it("is the previous one while a later commit is not signed; its author is named", async () => {
    const { choose, read } = revisionsOf({ files: { old: FILES, new: FILES }, unsigned: { new: [UNSIGNED] } });
    const reason = expect.stringMatching(/Mallory.*no signature/) as string;

    expect(await choose("new", "old")).toMatchObject({ serves: { commit: "old" }, held: { commit: "new", reason } });
    expect(await choose("new")).toMatchObject({ serves: undefined, held: { commit: "new", reason } });
    expect(read).toEqual(["old"]);
  });

  it("is the served one with any signature: a change of allowed keys does not stop the repair of drift", async () => {
    const { choose } = revisionsOf({ files: { new: FILES }, unsigned: { new: [UNSIGNED] } });

    expect(await choose("new", "new")).toMatchObject({ serves: { commit: "new" }, held: undefined });
  });
});
