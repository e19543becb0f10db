import { parseChannelName, parseModuleName } from "../catalogue/names.ts";
import { parseVersion, type ModuleVersion } from "../catalogue/version.ts";
import type { ForgeView, Proposal } from "../ports.ts";
import { isStanding } from "./change.ts";
import type { ProposedHold } from "./verdict/subject.ts";

/** Stands where the channel does in the name of a branch; no channel has a hyphen. */
const EVERY = "every-channel";

/**
 * The branch that proposes a hold: anybody can read from its name what it is about, before it is merged. One that lifts
 * or withdraws has its kind in place of `hold`.
 */
export function holdBranch(module: string, version: ModuleVersion, channel: string | undefined): string {
  return `hold/${channel ?? EVERY}/${module}-${version}`;
}

/** A hold, a lifting of holds or a withdrawal that a person asked for, and that waits to be merged. */
export interface ProposedIntervention extends ProposedHold {
  readonly kind: "hold" | "unhold" | "withdraw";
  readonly proposal: Proposal;
}

const KINDS = ["hold", "unhold", "withdraw"] as const;
const BRANCH = /^([a-z]+)\/([^/]+)\/([^/]+)$/;
const SUBJECT = /^([a-z-]+)-(\d.*)$/;

/** The holds, liftings of holds and withdrawals that wait to be merged. A branch of another name is none. */
export function proposedInterventions(view: ForgeView | undefined): readonly ProposedIntervention[] {
  if (view === undefined) return [];
  const { proposals, elsewhere = [] } = view;
  return [
    ...proposals.filter((proposal) => isStanding(proposal, view)).flatMap((proposal) => readProposal(proposal) ?? []),
    ...elsewhere.flatMap((proposal) => readProposal(proposal, proposal.remote) ?? []),
  ];
}

/** The holds among them, those of withdrawals included. */
export function proposedHolds(view: ForgeView | undefined): readonly ProposedIntervention[] {
  return proposedInterventions(view).filter(({ kind }) => kind !== "unhold");
}

function readProposal(proposal: Proposal, remote?: string): ProposedIntervention | undefined {
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
