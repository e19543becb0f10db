import { ServedContentReader } from "../catalogue/history/servedContent.ts";
import { lookUpAtHead } from "../catalogue/lookup.ts";
import { parseModuleName, type ModuleName } from "../catalogue/names.ts";
import { hotfixesPath, cataloguePlace } from "../catalogue/paths.ts";
import { proposalBranch } from "../catalogue/proposalBranch.ts";
import { specHash } from "../catalogue/template.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import type { BranchContent, Proposal } from "../ports.ts";
import type { Gathered } from "./gather.ts";

/** The step of a promotion's branch. */
export interface ProposedStep {
  readonly lane: "promotion" | "hotfix";
  readonly version: ModuleVersion;
  /** `MODULE@VERSION` of each module that moves with it. */
  readonly others: readonly string[];
}

/** The step that the files of a promotion's branch make; `undefined` if they make none. */
export function proposedStep({ branch, content }: Pick<Proposal, "branch" | "content">): ProposedStep | undefined {
  const place = proposalBranch(branch);
  if (place?.kind !== "promote") return undefined;
  const served = servedIn(content, place.channel);
  const own = served.find(({ module }) => module === place.module);
  if (own === undefined) return undefined;
  const others = served.filter((one) => one !== own).map(({ module, version }) => `${module}@${version}`);
  return { lane: content.files.has(hotfixesPath(place.module)) ? "hotfix" : "promotion", version: own.version, others };
}

interface ServedFile {
  readonly path: string;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  readonly hash: () => string;
}

/** The readable templates of a channel among the files of a branch. */
function servedIn({ files }: BranchContent, channel: string): readonly ServedFile[] {
  return [...files].flatMap(([path, text]): ServedFile[] => {
    const place = cataloguePlace(path);
    if (place?.kind !== "channel-template" || place.channel !== channel) return [];
    const module = parseModuleName(place.module);
    if (module === undefined) return [];
    const found = new ServedContentReader(channel, module).read(path, { kind: "bytes", bytes: Buffer.from(text) });
    return found === undefined ? [] : [{ path, module, version: found.version, hash: found.hash }];
  });
}

/**
 * Whether this program can have made everything that the branch of a promotion holds, so that an update may replace it and
 * nobody's work is lost: templates of versions that the catalogue or its history knows, with their content. The template of
 * a hot-fix may be known to nobody else, so there a commit has to claim it, and it changes no other files.
 */
export function isOwnPromotion(
  { branch, content }: Pick<Proposal, "branch" | "content">,
  { catalogue, histories }: Pick<Gathered, "catalogue" | "histories">,
): boolean {
  const place = proposalBranch(branch);
  if (place === undefined || content.others.length > 0) return false;
  const served = servedIn(content, place.channel);
  const declared = hotfixesPath(place.module);
  const paths = new Set([...served.map(({ path }) => path), declared]);
  if (![...content.files.keys()].every((path) => paths.has(path))) return false;
  if (content.files.has(declared)) return content.isMarked;
  return served.every(({ module, version, hash }) => {
    const known = lookUpAtHead(catalogue, module, version);
    if (known !== undefined && specHash(known.object) === hash()) return true;
    const states = [...histories.of(module).served.values()].flat();
    return states.some((state) => state.version === version && state.hash() === hash());
  });
}

/**
 * Whether an update may replace what a branch holds that a person asked for: changes of its own files alone, whose commit
 * claims to be of this program. What it was asked for before cannot be computed again.
 */
export function isReplaceable({ files, others, isMarked }: BranchContent, paths: ReadonlySet<string>): boolean {
  return others.length === 0 && [...files.keys()].every((path) => paths.has(path)) && (files.size === 0 || isMarked);
}

/** The instants of the field `name` in a file of a branch, which a repeated request has to use again. */
export function instantsIn(text: string | undefined, name: "since" | "at"): readonly string[] {
  return [...(text ?? "").matchAll(new RegExp(`\\b${name}: "?([0-9TZ:.+-]+)"?`, "g"))].map(
    ([, instant = ""]) => instant,
  );
}
