import { TEAMS_PATH } from "../catalogue/codeowners.ts";
import { canonicalJson } from "../document/canonical.ts";
import type { ModuleName } from "../catalogue/names.ts";
import type { Context } from "./context.ts";
import type { People } from "./facts.ts";
import type { Complaint } from "./rule.ts";

/** Yes, no, or `not-known` if the answer depends on a team whose members are not listed. */
type Certainty = boolean | "not-known";

/** Whether one of `logins` is one of `owners`: logins, and teams as `@org/team`. Ignores case, as GitHub does. */
export function isAmong(owners: readonly string[], logins: readonly string[], { teams }: People): Certainty {
  const wanted = new Set(logins.map((login) => login.toLowerCase()));
  const lists = owners.map((owner) => teamMembers(owner, teams));
  if (lists.some((names) => names?.some((name) => wanted.has(name.toLowerCase())))) return true;
  return wanted.size > 0 && lists.includes(undefined) ? "not-known" : false;
}

/** The logins of a team, or of a person; `undefined` for a team whose members are not listed. */
function teamMembers(owner: string, teams: People["teams"]): readonly string[] | undefined {
  if (!owner.startsWith("@")) return [owner];
  return [...teams].find(([team]) => team.toLowerCase() === owner.toLowerCase())?.[1];
}

/** The release managers of the base; those of the head without a base. */
export function releaseManagers({ base, head }: Context): readonly string[] {
  return (base ?? head).settings.releaseManagers;
}

/** The owners of the files of a module, read from the base: the module's owners and the release managers. */
export function moduleOwners(context: Context, module: ModuleName): readonly string[] {
  const { owners = [] } = (context.base ?? context.head).modules.get(module) ?? {};
  return [...new Set([...owners, ...releaseManagers(context)])];
}

/** Whether a release manager approved the head commit. */
export function releaseManagersApproved(context: Context): Certainty {
  const { people } = context.facts;
  return isAmong(releaseManagers(context), people.approvedBy, people);
}

/**
 * Whether an entry of the head counts: the base has the same entry, or a release manager approved. Without a base,
 * every entry counts.
 */
export function entryCounts<T>(context: Context, entry: T, inBase: readonly T[] = []): boolean {
  if (context.base === undefined || isIn(entry, inBase)) return true;
  return releaseManagersApproved(context) === true;
}

/** Whether one of `entries` equals `entry`. */
export function isIn<T>(entry: T, entries: readonly T[]): boolean {
  const wanted = canonicalJson(entry);
  return entries.some((other) => canonicalJson(other) === wanted);
}

/**
 * The remedy for a missing approval, and its severity: a warning if it is unknown whether a release manager approved,
 * since branch protection then decides.
 */
export function approvalMissing(context: Context): Pick<Complaint, "remedy" | "severity"> {
  const managers = releaseManagers(context);
  if (managers.length === 0) return { remedy: "Name releaseManagers in kyma-modules.yaml in a change of its own." };
  if (releaseManagersApproved(context) !== "not-known") return { remedy: `${askFor(managers)}.` };
  const remedy = `${TEAMS_PATH} (--teams) does not list the members of ${managers.join(", ")}: branch protection with CODEOWNERS decides.`;
  return { remedy, severity: "warning" };
}

/**
 * The remedy where the approval must be known: CODEOWNERS lets the owners of a module approve its channel files, so
 * branch protection would not ask for a release manager.
 */
export function approvalNeeded(context: Context): string {
  const managers = releaseManagers(context);
  const { teams } = context.facts.people;
  if (managers.every((name) => teamMembers(name, teams) !== undefined)) return approvalMissing(context).remedy;
  return `${askFor(managers)}, and list the members of teams in ${TEAMS_PATH} (--teams): it is unknown whether one approved.`;
}

function askFor(managers: readonly string[]): string {
  return `Ask a release manager (${managers.join(", ")}) to approve the change`;
}
