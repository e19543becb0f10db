import type { Channel } from "../../catalogue/catalogue.ts";
import { hotfixCommand } from "../../catalogue/commands.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import type { ModuleContext } from "./intervention.ts";

/** The effect of a withdrawal on clusters, through lifecycle-manager; full sentences. */
export interface Consequences {
  /** Clusters that do not get the version. */
  readonly protects: readonly string[];
  /** Clusters that have it and keep it. */
  readonly exposes: readonly string[];
  /** What to do about those clusters. */
  readonly remedy: string;
}

/** The input of a withdrawal's consequences. */
interface Retreat {
  readonly channel: Channel;
  readonly version: ModuleVersion;
  /** The version that the channel serves again, if any. */
  readonly back: ModuleVersion | undefined;
  /** All versions that the channel ever served, highest first. */
  readonly ever: readonly ModuleVersion[];
}

/**
 * Tells which clusters are protected, and which are not.
 *
 * lifecycle-manager compares `x.y.z` of the wanted version with the version that the cluster's Kyma reports, and
 * refuses a lower one; for a mandatory module it accepts any.
 */
export function retreatConsequences(module: ModuleName, known: ModuleContext, retreat: Retreat): Consequences {
  const { version, back } = retreat;
  return back === undefined
    ? {
        protects: [`Clusters of landscapes that ${version} has not reached: it is not carried to them.`],
        exposes: [`Clusters that run ${version} already: nothing changes there.`],
        remedy: retreatRemedy(module, known, retreat),
      }
    : { ...afterStep(back, retreat), remedy: retreatRemedy(module, known, retreat) };
}

function afterStep(back: ModuleVersion, { channel, version, ever }: Retreat): Omit<Consequences, "remedy"> {
  const refusing = ever.filter((other) => compareVersions(other, back) > 0 && releaseLine(other) !== releaseLine(back));
  const protects = refusing.includes(version)
    ? `Clusters of ${channel.name} that have not upgraded yet, new ones and those that wait for a maintenance window among them: they stay on the older version, or get ${back}.`
    : `Clusters that run ${version}, too: lifecycle-manager compares only x.y.z, so it accepts ${back} there.`;
  if (refusing.length === 0) return { protects: [protects], exposes: [] };
  const exposes = `Clusters that run ${refusing.join(" or ")} already: lifecycle-manager refuses the downgrade to ${back}, the higher version keeps running, and the module and its Kyma go to Warning there ("ignore channel skew"). That applies while their Kymas report a version. If one reports none, since a template or an artifact is missing, sync refuses to go down (user-endangered), and plan names the Kymas.`;
  return { protects: [protects], exposes: [exposes] };
}

function retreatRemedy(module: ModuleName, { catalogue, ever }: ModuleContext, retreat: Retreat): string {
  const { channel, version, back } = retreat;
  const highest = retreat.ever.reduce((a, b) => (compareVersions(a, b) < 0 ? b : a), version);
  const templates = catalogue.modules.get(module)?.templates.keys() ?? [];
  const taken = new Set<string>([...[...ever.values()].flat(), ...templates]);
  const next = nextVersion(highest, taken);
  const content = back === undefined ? "" : ` with what ${back} holds`;
  const lane =
    channel.follows === undefined
      ? `kyma-modules bump ${module}@${next} --channel ${channel.name} --template FILE`
      : hotfixCommand({ module, version: next, channel: channel.name });
  return `Release a version above ${highest}, such as ${next}${content}, and bring it there: ${lane}`;
}

/** The next unused patch version, in the same pre-release if it is one. */
function nextVersion(version: string, taken: ReadonlySet<string>): string {
  const next = version.replace(
    /^(\d+\.\d+\.)(\d+)/,
    (_, line: string, patch: string) => `${line}${BigInt(patch) + 1n}`,
  );
  return taken.has(next) ? nextVersion(next, taken) : next;
}

/** The part of a version that lifecycle-manager compares: `x.y.z`. */
function releaseLine(version: ModuleVersion): string {
  return version.replace(/-.*$/, "");
}
