import type { Channel } from "../../../catalogue/catalogue.ts";
import { isChannelUnknown } from "../../../catalogue/holdStrength.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import { isBroken } from "../../../document/finding.ts";
import { policyPath } from "../../../catalogue/paths.ts";
import { weaknesses, type Weakness } from "../../../catalogue/override.ts";
import type { Context } from "../../context.ts";
import { edit, MODULE, SAMPLE, type ExampleFiles } from "../../example.ts";
import { violation, type Complaint, type Rule, type Violation } from "../../rule.ts";
import { modulesWithFile, touchedModuleFiles } from "../../touched.ts";

/** The change that overrides the soak of a minor step into regular. */
function overriding(minor: string): ExampleFiles {
  const policy = `policy: { regular: { soak: { minor: ${minor} } } }`;
  return { [MODULE]: edit(String(SAMPLE[MODULE]), "ocmComponentName", `${policy}\nocmComponentName`) };
}

/** A module's policy is at least as strict as that of the channel. */
export const ownershipOverride: Rule = {
  id: "ownership-override",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "The policy in module.yaml is at least as strict as that of the channel.",
  rationale:
    "The release managers decide what a version must have earned before a channel serves it. The owners of a module can ask for more. Asking for less has no effect, and misleads the readers of the file.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/gate.md#who-may-approve-what",
  judge: (context) => [...weakerOverrides(context), ...removedChannels(context)],
  bad: { change: overriding("1d"), at: { file: MODULE, line: "minor: 1d" } },
  good: { change: overriding("14d") },
};

function weakerOverrides(context: Context): readonly Violation[] {
  const channels = new Map<string, Channel>([...context.head.channels, ...(context.base?.channels ?? [])]);
  return touchedModuleFiles(context).flatMap(({ module, file }) =>
    Object.entries(module.says.policy ?? {}).flatMap(([name, override]) => {
      const channel = channels.get(name);
      if (channel === undefined) {
        // A channel whose policy cannot be read exists; the broken policy is a finding of its own.
        if (isBroken(context.head, policyPath(name))) return [];
        return [withoutEffect(name, file)];
      }
      if ((context.head.channels.get(channel.name) ?? channel).follows === undefined)
        return [withoutEffect(name, file, `${name} follows no channel`)];
      return weaknesses(channel.promotion, override).map((weakness) =>
        violation(file, ["policy", name, ...weakness.path], overrideComplaint(weakness, name)),
      );
    }),
  );
}

/** A change that renames or removes a channel ends the stricter policies of all modules, whose files it need not touch. */
function removedChannels(context: Context): readonly Violation[] {
  const removed = [...(context.base?.channels.keys() ?? [])].filter((channel) =>
    isChannelUnknown(channel, context.head),
  );
  return modulesWithFile(context).flatMap(({ module, file }) =>
    removed.filter((name) => module.says.policy?.[name] !== undefined).map((name) => withoutEffect(name, file)),
  );
}

function withoutEffect(channel: string, file: YamlFile, why = `There is no channel ${channel}`): Violation {
  const message = `${why}: this policy has no effect.`;
  const remedy = "Name a channel that follows another, or remove the policy.";
  return violation(file, ["policy", channel], { message, remedy, severity: "warning" });
}

function overrideComplaint({ path, demanded, isCertain }: Weakness, channel: string): Complaint {
  const field = path.join(".");
  if (isCertain) {
    const message = `${field} is weaker here than in ${channel}, which demands ${demanded}.`;
    return { message, remedy: `Ask for at least ${demanded}, or leave it out.` };
  }
  const message = `${field} is not a window of ${channel}: nothing is promoted outside the windows of ${channel}.`;
  return { message, remedy: `Name one of its windows: ${demanded}.`, severity: "warning" };
}
