import { versionKey } from "../../../catalogue/lookup.ts";
import type { Channel } from "../../../catalogue/catalogue.ts";
import type { ModuleName } from "../../../catalogue/names.ts";
import { modulePath } from "../../../catalogue/paths.ts";
import type { RequiredApi } from "../../../catalogue/policy.ts";
import { isBroken } from "../../../document/finding.ts";
import type { Context } from "../../context.ts";
import { CODEOWNERS, edit, MODULE, SAMPLE, templateText, type ExampleFiles } from "../../example.ts";
import { gatheredFact } from "../../facts.ts";
import { serviceBy, type ApiService } from "./apis.ts";

/** Whether the modules of the head serve an API to the clusters of a channel. */
export function serviceIn(context: Context, channel: Channel, api: RequiredApi): ApiService {
  // A cluster of the channel can have its modules, and mandatory ones.
  const channels = [...context.head.channels.values()].filter(
    ({ name, kind }) => name === channel.name || kind === "mandatory",
  );
  const services = channels
    .flatMap(({ templates }) => [...templates.values()])
    .map((template) => serviceBy(gatheredFact(context.facts.manifests, versionKey(template)), api));
  if (services.includes("served")) return "served";
  const isUnknown = services.includes("unknown") || channels.some(({ name }) => context.unread.has(name));
  return isUnknown ? "unknown" : "not-served";
}

/** The channels of the head whose clusters can have the modules of `channel`. */
export function channelsWith({ head }: Context, channel: Channel): readonly Channel[] {
  return [...head.channels.values()].filter(({ name }) => channel.kind === "mandatory" || name === channel.name);
}

/** Why it is unknown what a module requires; `undefined`: it is known. */
export function requirementsUnknown({ head }: Context, module: ModuleName): string | undefined {
  const path = modulePath(module);
  return isBroken(head, path) ? `${path} cannot be read` : undefined;
}

const OTHER = edit(
  edit(templateText("fast", "1.0.0").replaceAll("sample-fast", "other-fast"), "name: sample\n", "name: other\n"),
  "moduleName: sample",
  "moduleName: other",
).replace("module-name: sample", "module-name: other");
const DATA = / {2}data:[^]*(?= {2}descriptor)/;
const OWNERS = `/channels/*/other.yaml @sample/team @sample/release-managers
/modules/other/ @sample/team @sample/release-managers
`;

/** `module.yaml` of the sample with one API that it requires. */
export function requiring(api: string): string {
  return `${String(SAMPLE[MODULE])}requires: [${api}]\n`;
}

/** A second module in fast, `other` 1.0.0, which installs a service account and requires `api`. */
export function otherRequiring(api: string): ExampleFiles {
  return {
    "channels/fast/other.yaml": OTHER.replace(DATA, "")
      .replace("sample-manager", "other-manager")
      .replace(/ {2}manager:[^]*(?= {2}resources)/, ""),
    "modules/other/module.yaml": requiring(api).replace("module/sample", "module/other"),
    "modules/other/1.0.0/manifest.yaml":
      "apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: other, namespace: kyma-system }\n",
    [CODEOWNERS]: edit(String(SAMPLE[CODEOWNERS]), "/channels/*/sample", `${OWNERS}/channels/*/sample`),
  };
}
