import { parseChannelName, parseModuleName } from "../catalogue/names.ts";
import { parseVersion, type ModuleVersion } from "../catalogue/version.ts";
import type { ForgeView } from "../ports.ts";
import { isStanding } from "./apply.ts";
import type { ProposedHold } from "./verdict/subject.ts";

/** Stands where the channel does in the name of a branch; no channel has a hyphen. */
const EVERY = "every-channel";

/** The branch that proposes a hold: anybody can read from its name what it is about, before it is merged. */
export function holdBranch(module: string, version: ModuleVersion, channel: string | undefined): string {
  return `hold/${channel ?? EVERY}/${module}-${version}`;
}

const BRANCH = /^(?:hold|withdraw)\/(?<channel>[^/]+)\/(?<module>[a-z-]+)-(?<version>\d[^/]*)$/;

/** The holds that wait to be merged, those of withdrawals among them. A branch of another name is none. */
export function proposedHolds(view: ForgeView | undefined): readonly ProposedHold[] {
  if (view === undefined) return [];
  return view.proposals
    .filter((proposal) => isStanding(proposal, view))
    .flatMap(({ branch, pull }) => readBranch(branch, pull?.url ?? branch) ?? []);
}

function readBranch(branch: string, source: string): ProposedHold | undefined {
  const { channel: place = "", module: name = "", version: text = "" } = BRANCH.exec(branch)?.groups ?? {};
  const [module, version, channel] = [parseModuleName(name), parseVersion(text), parseChannelName(place)];
  if (module === undefined || version === undefined) return undefined;
  return channel === undefined && place !== EVERY ? undefined : { module, version, channel, source };
}
