import { MAX_FILE_BYTES, type SnapshotFile } from "../../src/document/snapshot.ts";
import type { Snapshot } from "../../src/ports.ts";
import type { Content } from "./repository.ts";

/** A snapshot as a table: path to content, or to what is wrong with it. */
export function tableOf({ files }: Snapshot): Readonly<Record<string, string>> {
  return Object.fromEntries([...files].map(([path, file]) => [path, textOf(file)] as const));
}

function textOf(file: SnapshotFile): string {
  switch (file.kind) {
    case "bytes":
      return Buffer.from(file.bytes).toString();
    case "too-large":
      return `<${file.size} bytes>`;
    case "bad-link":
      return `-> ${file.target}`;
  }
}

/** Accepts every file. */
export const everything = (): boolean => true;

/** A repository with all sorts of links, and how a snapshot of it reads. */
export const LINKS: Readonly<Record<string, Content>> = {
  "channels/fast/istio.yaml": "istio",
  "channels/fast/keda.yaml": { link: "istio.yaml" },
  "channels/fast/chain.yaml": { link: "../regular/keda.yaml" },
  "channels/regular/keda.yaml": { link: "../fast/keda.yaml" },
  "channels/regular/shared.yaml": { link: "../../shared/template.yaml" },
  "channels/regular/through.yaml": { link: "../link-to-fast/istio.yaml" },
  "channels/regular/dangling.yaml": { link: "nowhere.yaml" },
  "channels/regular/through-nothing.yaml": { link: "nowhere/../keda.yaml" },
  "channels/regular/through-a-file.yaml": { link: "keda.yaml/../keda.yaml" },
  "channels/regular/outside.yaml": { link: "../../../outside.yaml" },
  "channels/regular/self.yaml": { link: "self.yaml" },
  "channels/regular/circle.yaml": { link: "elcric.yaml" },
  "channels/regular/elcric.yaml": { link: "circle.yaml" },
  "channels/link-to-fast": { link: "fast" },
  "channels/everything": { link: "../" },
  "elsewhere/dangling.yaml": { link: "nowhere.yaml" },
  "shared/template.yaml": "shared",
};

/** What a snapshot makes of `LINKS`, but for a link that leads out of the repository. */
export const FOLLOWED: Readonly<Record<string, string>> = {
  "channels/everything": "-> the whole repository",
  "channels/fast/chain.yaml": "istio",
  "channels/fast/istio.yaml": "istio",
  "channels/fast/keda.yaml": "istio",
  "channels/link-to-fast": "-> the folder channels/fast",
  "channels/regular/circle.yaml": "-> a file that does not exist",
  "channels/regular/dangling.yaml": "-> a file that does not exist",
  "channels/regular/elcric.yaml": "-> a file that does not exist",
  "channels/regular/keda.yaml": "istio",
  "channels/regular/self.yaml": "-> a file that does not exist",
  "channels/regular/shared.yaml": "shared",
  "channels/regular/through-a-file.yaml": "-> a file that does not exist",
  "channels/regular/through-nothing.yaml": "-> a file that does not exist",
  "channels/regular/through.yaml": "istio",
};

/** Files at the edge of what is read. */
export const SIZES: Readonly<Record<string, Content>> = {
  "channels/fast/largest.yaml": Buffer.alloc(MAX_FILE_BYTES, "a"),
  "channels/fast/larger.yaml": Buffer.alloc(MAX_FILE_BYTES + 1, "a"),
  "channels/fast/link.yaml": { link: "larger.yaml" },
  "channels/fast/empty.yaml": "",
};
