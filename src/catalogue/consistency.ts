import type { Finding } from "../document/finding.ts";
import { MANDATORY, type ChannelName, type LandscapeName, type ModuleName } from "./names.ts";
import type { Draft, PolicyFile } from "./draft.ts";
import { policyPath } from "./paths.ts";
import { durationMs } from "./policy.ts";
import { specHash, type Template } from "./template.ts";
import { errorAt, locate, type YamlFile } from "../document/yaml/read.ts";

/** Problems between files. `fatal` findings make the whole catalogue unusable. */
interface Consistency {
  readonly fatal: readonly Finding[];
  readonly findings: readonly Finding[];
  readonly withheld: ReadonlySet<ModuleName>;
}

/** Finds the problems that show only when files are compared. */
export function judgeCatalogue(draft: Draft): Consistency {
  const contradictions = judgeVersions(draft.templates);
  return {
    fatal: [
      ...judgeLandscapes(draft),
      ...judgeServed(draft),
      ...[...draft.policies].flatMap(([name, policy]) => judgePolicy(name, policy, draft)),
      ...judgeMandatory(draft),
    ],
    findings: [...contradictions.flatMap(({ findings }) => findings), ...judgeSoaks(draft)],
    withheld: new Set(contradictions.filter(({ served }) => served).map(({ module }) => module)),
  };
}

function judgeLandscapes({ settings }: Draft): readonly Finding[] {
  if (settings === undefined) return [];
  const { file, value } = settings;
  const earlier = new Set<LandscapeName>();
  return value.landscapes.flatMap(({ name, after }, index) => {
    const findings: Finding[] = [];
    if (earlier.has(name)) {
      const message = `The landscape ${name} occurs twice.`;
      findings.push(
        errorAt(file, ["landscapes", index, "name"], "landscape-duplicate", message, "Rename or remove one."),
      );
    }
    if (after !== undefined && !earlier.has(after.landscape)) {
      const message = `${name} comes after ${after.landscape}, which is not listed before it.`;
      const remedy = "List landscapes in roll-out order: name one that is above this one.";
      findings.push(errorAt(file, ["landscapes", index, "after", "landscape"], "landscape-after", message, remedy));
    }
    earlier.add(name);
    return findings;
  });
}

/** How long lifecycle-manager may report Ready before it looks again. Milliseconds. */
const LOOK_MS = durationMs("5m");

/** Soaks that a version which never starts would outlast. An embedded control plane has no lifecycle-manager. */
function judgeSoaks({ settings }: Draft): readonly Finding[] {
  if (settings === undefined) return [];
  const { file, value } = settings;
  return value.landscapes.flatMap(({ name, after, controlPlane }, index) => {
    if (after === undefined || "embedded" in controlPlane || after.shortSoakReason !== undefined) return [];
    const { landscape, soak = "0s", hotfixSoak = soak } = after;
    const place = (key: "soak" | "hotfixSoak"): readonly (string | number)[] => [
      ...["landscapes", index, "after", ...(after[key] === undefined ? [] : [key])],
    ];
    const remedy = "Set 5m or more, or say in shortSoakReason why less is enough.";
    const judge = (what: string, path: readonly (string | number)[], text: string): readonly Finding[] => {
      if (durationMs(text) >= LOOK_MS) return [];
      const message = `${name} waits ${text} for ${what} in ${landscape}, but lifecycle-manager may report a version that never starts as Ready for 5 minutes.`;
      return [errorAt(file, path, "landscape-soak", message, remedy)];
    };
    const usual = judge("a version", place("soak"), soak);
    // Without hotfixSoak, a hot-fix waits as long as any other version.
    const hotfix = hotfixSoak === soak ? [] : judge("a hot-fix", place("hotfixSoak"), hotfixSoak);
    return [...usual, ...hotfix.map((found) => ({ ...found, severity: "warning" as const }))];
  });
}

function judgeServed({ channels, templates, settings }: Draft): readonly Finding[] {
  const orphans = Map.groupBy(templates, ({ channel }) => channel);
  const findings = [...orphans].flatMap(([channel, [first]]) => {
    if (channel === undefined || first === undefined || channels.has(channel)) return [];
    const remedy = `Create ${policyPath(channel)}, with the landscapes that serve the channel.`;
    return [errorAt(first.file, [], "channel-policy", `The channel ${channel} has no policy.`, remedy)];
  });
  if (channels.size > 0 || findings.length > 0 || settings === undefined) return findings;
  const remedy = "Create channels/<channel>.yaml, or import existing templates: kyma-modules import DIR.";
  return [errorAt(settings.file, [], "channel-missing", "The repository has no channel.", remedy)];
}

interface ChannelPolicy {
  readonly file: YamlFile;
  readonly value: PolicyFile;
}

function judgePolicy(name: ChannelName, policy: ChannelPolicy, draft: Draft): readonly Finding[] {
  const { file, value } = policy;
  const known = new Set(draft.settings?.value.landscapes.map((landscape) => landscape.name));
  const unknown = value.landscapes.flatMap((landscape, index) => {
    if (draft.settings === undefined || known.has(landscape)) return [];
    const message = `kyma-modules.yaml has no landscape ${landscape}.`;
    return [errorAt(file, ["landscapes", index], "channel-landscape", message, `Use one of ${[...known].join(", ")}.`)];
  });
  return [...unknown, ...judgeName(name, policy), ...judgeFollows(name, policy, draft)];
}

/** In records, an entry of such a channel could not be told from one of a mandatory channel. */
function judgeName(name: ChannelName, { file, value: { kind = "release" } }: ChannelPolicy): readonly Finding[] {
  if (name !== MANDATORY || kind === "mandatory") return [];
  const message = `A release channel cannot be named ${name}: records keep this name for mandatory modules.`;
  const remedy = "Rename the channel; or set kind: mandatory, if every cluster gets its modules.";
  return [errorAt(file, ["kind"], "channel-reserved", message, remedy)];
}

function judgeFollows(
  name: ChannelName,
  { file, value }: ChannelPolicy,
  { policies, channels }: Draft,
): readonly Finding[] {
  const { follows } = value;
  if (follows === undefined) return [];
  const followed = policies.get(follows);
  const at = (message: string, remedy: string): readonly Finding[] => [
    errorAt(file, ["follows"], "channel-follows", message, remedy),
  ];
  if (!channels.has(follows)) return at(`The channel ${follows} does not exist.`, "Name a channel that has a policy.");
  if (followed?.value.kind === "mandatory")
    return at(`A channel cannot follow ${follows}, which is mandatory.`, "Follow a release channel.");
  if (!reaches(follows, name, policies)) return [];
  return at(`${name} follows itself through ${follows}.`, "Break the cycle: one channel must not follow another.");
}

/** Whether `from` follows `to`, through any number of channels. Terminates on cycles. */
function reaches(from: ChannelName, to: ChannelName, policies: Draft["policies"]): boolean {
  const seen = new Set<ChannelName>();
  for (
    let at: ChannelName | undefined = from;
    at !== undefined && !seen.has(at);
    at = policies.get(at)?.value.follows
  ) {
    if (at === to) return true;
    seen.add(at);
  }
  return false;
}

function judgeMandatory({ templates, policies }: Draft): readonly Finding[] {
  const served = Map.groupBy(
    templates.filter(({ channel }) => channel !== undefined),
    ({ module }) => module,
  );
  return [...served].flatMap(([module, files]) => {
    const mandatory = files.filter(
      ({ channel }) => channel !== undefined && policies.get(channel)?.value.kind === "mandatory",
    );
    if (mandatory.length === 0 || files.length === 1) return [];
    const places = files.map(({ file }) => file.path).join(", ");
    const message = `${module} is mandatory, so it must be in exactly one channel, a mandatory one; it is in ${places}.`;
    return files.map(({ file }) => errorAt(file, [], "module-mandatory", message, "Keep one of these files."));
  });
}

interface ContentContradiction {
  readonly module: ModuleName;
  /** Whether two channels contradict each other; otherwise a channel and `modules/` do, and the channel is served. */
  readonly served: boolean;
  readonly findings: readonly Finding[];
}

function judgeVersions(templates: readonly Template[]): readonly ContentContradiction[] {
  const versions = Map.groupBy(templates, ({ module, version }) => `${module} ${version}`);
  return [...versions.values()].flatMap((same) => {
    const [first, ...others] = same;
    if (first === undefined || others.length === 0) return [];
    const hashes = new Map(same.map((template) => [template, specHash(template.object)]));
    if (new Set(hashes.values()).size === 1) return [];
    const served =
      new Set(same.filter(({ channel }) => channel !== undefined).map((template) => hashes.get(template))).size > 1;
    return [{ module: first.module, served, findings: same.map((template) => disagreement(template, same, served)) }];
  });
}

function disagreement(template: Template, same: readonly Template[], served: boolean): Finding {
  const { module, version, file } = template;
  const others = same.filter((other) => other !== template).map((other) => other.file.path);
  const consequence = served ? "The module is not synced until they agree." : "The channel's file is served.";
  return {
    rule: "version-content",
    severity: served ? "error" : "warning",
    file: file.path,
    ...locate(file, ["spec", "version"]),
    message: `${module} ${version} has different content in ${others.join(" and ")}. ${consequence}`,
    remedy: "A version never changes: make the files equal except for name and channel, or give one a new version.",
  };
}
