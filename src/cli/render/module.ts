import type { Catalogue } from "../../catalogue/catalogue.ts";
import { holdEndMs } from "../../catalogue/holdStrength.ts";
import { servedModules, unservedText } from "../../catalogue/lookup.ts";
import { specHash, type Template } from "../../catalogue/template.ts";
import { counted } from "../../document/counted.ts";
import { printable } from "../../document/printable.ts";
import { installOrder } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { Fault, type History, type Run } from "../../ports.ts";
import { readDecreases } from "../../promote/decreases.ts";
import { lookUpTemplate } from "../../reading/template.ts";
import { moduleContent, type ModuleContent } from "../../smoke/content.ts";
import { readSide } from "../../smoke/gather.ts";
import { readModuleAtPlace } from "../arguments.ts";
import type { PrintedManifest } from "../../sync/install/manifest.ts";
import { openSource } from "../compose/compose.ts";
import { openSmoke } from "../compose/smoke.ts";
import { clock } from "../compose/systems.ts";
import { sayUnreadable } from "../loadCatalogue.ts";
import { listText, yamlText } from "../manifests.ts";
import { EXIT, type Output } from "../terminal/output.ts";

interface RenderModuleArguments {
  readonly repo: string;
  readonly revision: string;
  /** `MODULE@VERSION`, or `MODULE@CHANNEL`. */
  readonly what: string;
  /** Print the default CR instead of the objects that install the module. */
  readonly defaultCr: boolean;
}

/**
 * `kyma-modules render MODULE@VERSION`: prints the objects that install a version without lifecycle-manager. Returns
 * the exit code.
 */
export async function renderModule(
  { repo, revision, what, defaultCr }: RenderModuleArguments,
  output: Output,
  run: Run,
): Promise<number> {
  const side = await readSide(openSource(repo, revision), run);
  if (side.kind === "unreadable") {
    sayUnreadable(side.findings, output);
    return EXIT.findings;
  }
  const { catalogue, files } = side;
  const { history, world: smoke } = openSmoke(repo);
  const template = await requestedTemplate(what, catalogue, history, run);
  const { module, version } = template;
  warnOfHolds(template, catalogue, run);
  await warnOfDecreases(template, catalogue, history, run);
  const world = { ...smoke, sides: { head: catalogue, base: undefined }, files };
  const content = await moduleContent({ version, specHash: specHash(template.object), template }, world, run);
  if ("said" in content) throw new Fault("CONFIGURATION", `${content.said} ${content.remedy}`);
  const objects = defaultCr ? [moduleDefaultCr(content)] : installOrder(content.objects).flat();
  const purpose = printable(`${module} ${version}: ${defaultCr ? "its default CR" : content.source}`);
  const own = objects.map((object) => ({ object, purpose }));
  const manifests = defaultCr ? own : [...moduleNamespaces(content), ...own];
  output.report({ text: () => yamlText(manifests), json: () => listText(manifests) });
  output.say(defaultCr ? `the default CR of ${module} ${version}` : renderedSummary(content));
  return EXIT.fine;
}

/**
 * Finds the template; that of a version also in the history. Throws CONFIGURATION if there is none, HISTORY_TOO_SHALLOW.
 */
async function requestedTemplate(what: string, catalogue: Catalogue, history: History, run: Run): Promise<Template> {
  const place = readModuleAtPlace(what);
  const { module } = place;
  const sources = { catalogue, revision: catalogue.revision ?? "HEAD", history };
  const found =
    "version" in place
      ? (await lookUpTemplate(place, sources, run))?.template
      : catalogue.channels.get(place.channel)?.templates.get(module);
  if (found !== undefined) return found;
  const served = servedModules(catalogue);
  if (!served.includes(module)) throw new Fault("CONFIGURATION", unservedText(module, served));
  const places = [...catalogue.channels.values()].flatMap((channel) => {
    const version = channel.templates.get(module)?.version;
    return version === undefined ? [] : [`${version} (${channel.name})`];
  });
  const none = "version" in place ? "Neither the catalogue nor its history has" : "The catalogue has no";
  const message = `${none} ${what}; channels serve ${places.join(", ")}. For another commit: --revision REV.`;
  throw new Fault("CONFIGURATION", message);
}

/** A hold also concerns people who install by hand. */
function warnOfHolds({ module, version }: Template, { modules }: Catalogue, run: Run): void {
  for (const hold of modules.get(module)?.holds ?? [])
    if (hold.version === version && holdEndMs(hold) > clock.nowMs())
      run.log.warn(printable(`${hold.by} holds ${module} ${version}: ${hold.reason}`));
}

/** A version from which a channel went down by hand counts as held. */
async function warnOfDecreases(
  { module, version }: Template,
  { revision }: Catalogue,
  history: History,
  run: Run,
): Promise<void> {
  try {
    for (const decrease of await readDecreases(history, [module], revision, clock.nowMs(), run))
      if (decrease.version === version) run.log.warn(printable(`${module}: ${decrease.reason}`));
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "HISTORY_TOO_SHALLOW") throw error;
    run.log.warn(`it is unknown whether a channel went down from ${module} ${version}: ${error.message}`);
  }
}

const HOME = "kyma-system";

/** The namespace that lifecycle-manager creates, if an object is in it. */
function moduleNamespaces({ objects }: ModuleContent): readonly PrintedManifest[] {
  const isThere = objects.some(({ kind, metadata: { name } }) => kind === "Namespace" && name === HOME);
  if (isThere || !objects.some(({ metadata: { namespace } }) => namespace === HOME)) return [];
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: HOME } };
  return [{ object, purpose: "the namespace that lifecycle-manager creates" }];
}

function moduleDefaultCr({ defaultCr, version: { version, template } }: ModuleContent): KubernetesObject {
  if (defaultCr !== undefined) return defaultCr;
  throw new Fault("CONFIGURATION", `${template.module} ${version} has no default CR. Omit --default-cr.`);
}

function renderedSummary({ objects, source, defaultCr, version: { version, template } }: ModuleContent): string {
  const all = `${counted(objects.length, "object")} of ${template.module} ${version}, from ${source}`;
  if (defaultCr === undefined) return all;
  return `${all}\nThen apply its default CR, which activates the module: --default-cr prints it.`;
}
