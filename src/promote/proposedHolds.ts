import type { Catalogue } from "../catalogue/catalogue.ts";
import { isChannelUnknown } from "../catalogue/holdStrength.ts";
import { parseChannelName, parseModuleName } from "../catalogue/names.ts";
import { parseVersion, type ModuleVersion } from "../catalogue/version.ts";
import type { BranchElsewhere, ForgeView } from "../ports.ts";
import { isStanding } from "./change.ts";
import type { ProposedHold } from "./verdict/subject.ts";

/** Takes the place of the channel in a branch name. A channel name has no hyphen. */
const EVERY = "every-channel";

/**
 * The branch that proposes a hold. Its name says what is held, also before the merge. A lift or a withdrawal has its
 * kind in place of `hold`.
 */
export function holdBranch(module: string, version: ModuleVersion, channel: string | undefined): string {
  return `hold/${channel ?? EVERY}/${module}-${version}`;
}

/** A hold, an unhold or a withdrawal that a person asked for and that is not merged yet. */
export interface ProposedIntervention extends ProposedHold {
  readonly kind: "hold" | "unhold" | "withdraw";
  readonly proposal: BranchElsewhere;
}

const KINDS = ["hold", "unhold", "withdraw"] as const;
const BRANCH = /^([a-z]+)\/([^/]+)\/([^/]+)$/;
const SUBJECT = /^([a-z-]+)-(\d.*)$/;

/** The holds, unholds and withdrawals that are not merged yet. Branches with other names do not count. */
export function proposedInterventions(view: ForgeView | undefined): readonly ProposedIntervention[] {
  if (view === undefined) return [];
  const { proposals, elsewhere = [] } = view;
  return [
    ...proposals.filter((proposal) => isStanding(proposal, view)).flatMap((proposal) => readProposal(proposal) ?? []),
    ...elsewhere.flatMap((proposal) => readProposal(proposal, proposal.remote) ?? []),
  ];
}

/** The proposed holds, including those of withdrawals. */
export function proposedHolds(view: ForgeView | undefined): readonly ProposedIntervention[] {
  return proposedInterventions(view).filter(({ kind }) => kind !== "unhold");
}

/** The proposed holds as they count: as merged ones, those on a channel that does not exist count in all. */
export function countedProposals(view: ForgeView | undefined, catalogue: Catalogue): readonly ProposedIntervention[] {
  return proposedHolds(view).map((hold) =>
    isChannelUnknown(hold.channel, catalogue) ? { ...hold, channel: undefined } : hold,
  );
}

function readProposal(proposal: BranchElsewhere, remote?: string): ProposedIntervention | undefined {
  const { branch, pull } = proposal;
  const [prefix, place = "", name = ""] = BRANCH.exec(branch)?.slice(1) ?? [];
  const kind = KINDS.find((one) => one === prefix);
  const subject = readSubject(place, name);
  const source = pull?.url ?? (remote === undefined ? branch : `${remote}/${branch}`);
  return kind && subject && { kind, ...subject, source, proposal };
}

function readSubject(place: string, text: string): Omit<ProposedHold, "source"> | undefined {
  const [, name = "", number = ""] = SUBJECT.exec(text) ?? [];
  const [module, version, channel] = [parseModuleName(name), parseVersion(number), parseChannelName(place)];
  if (module === undefined || version === undefined) return undefined;
  return channel === undefined && place !== EVERY ? undefined : { module, version, channel };
}
