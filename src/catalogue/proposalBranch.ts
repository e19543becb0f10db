import { shortCommit } from "../document/printable.ts";
import { CODEOWNERS_PATH } from "./codeowners.ts";
import { channelFilePath, holdsPath, hotfixesPath } from "./paths.ts";

/** A branch on which this program proposes a change, by its name. */
export interface ProposalBranch {
  readonly kind: (typeof KINDS)[number];
  /** The channel; for a hold, it may stand for all channels. */
  readonly channel: string;
  readonly module: string;
}

const KINDS = ["promote", "bump", "hold", "unhold", "withdraw"] as const;
const PROMOTION = /^(promote)\/([^/]+)\/([^/]+)$/;
const OF_VERSION = /^(bump|hold|unhold|withdraw)\/([^/]+)\/([a-z-]+)-\d[^/]*$/;

/** The proposal that a branch is named after; `undefined` for a branch of another name. */
export function proposalBranch(name: string): ProposalBranch | undefined {
  const [, prefix, channel = "", module = ""] = PROMOTION.exec(name) ?? OF_VERSION.exec(name) ?? [];
  const kind = KINDS.find((one) => one === prefix);
  return kind && { kind, channel, module };
}

/**
 * The files that a proposal of this kind may change; a path that ends with "/" is a folder. The modules that move together
 * with its own may be in a promotion, and a hot-fix is a promotion with its declaration. A team may add the files of its
 * module to its bump.
 *
 * Takes:  `together`, the `limits.together` of the channel's policy.
 */
export function filesOfProposal(
  { kind, channel, module }: ProposalBranch,
  together: readonly (readonly string[])[] = [],
): ReadonlySet<string> {
  const own = channelFilePath(channel, module);
  switch (kind) {
    case "promote": {
      const partners = together.filter((group) => group.includes(module)).flat();
      return new Set([own, hotfixesPath(module), ...partners.map((partner) => channelFilePath(channel, partner))]);
    }
    case "bump":
      return new Set([own, `modules/${module}/`, CODEOWNERS_PATH]);
    case "hold":
    case "unhold":
      return new Set([holdsPath(module)]);
    case "withdraw":
      return new Set([own, holdsPath(module)]);
  }
}

/** Whether a path is among `files`, or in one of their folders. */
export function isAmongFiles(path: string, files: ReadonlySet<string>): boolean {
  return files.has(path) || [...files].some((folder) => folder.endsWith("/") && path.startsWith(folder));
}

/** The content of a branch that is not what this program would write there. */
interface ForeignContent {
  readonly files: ReadonlyMap<string, string>;
  readonly others: readonly string[];
  readonly author: string;
}

const MOST_NAMED = 5;

/** Names the changes of a foreign branch, and whose commit is its newest, as a clause for people. */
export function foreignText(tip: string, { files, others, author }: ForeignContent): string {
  const all = [...others, ...files.keys()];
  const named = [...all.slice(0, MOST_NAMED), ...(all.length > MOST_NAMED ? [`${all.length - MOST_NAMED} more`] : [])];
  return `it changes ${named.join(", ") || "nothing"}; its newest commit ${shortCommit(tip)} is by ${author}`;
}
