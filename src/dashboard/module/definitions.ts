import { inputsFolder } from "../../catalogue/inputs.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { oncePer } from "../../document/once.ts";
import { compareDefinitions, type Impact } from "../../kubernetes/crd/compare.ts";
import { definitionsIn } from "../../kubernetes/customDefinitions.ts";
import type { Manifest } from "../../kubernetes/manifest.ts";
import { numberText } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { signIcon, type Sign } from "../icons.ts";
import { dataTable, section, sideScroller } from "../parts.ts";
import type { DashboardState } from "../state.ts";

/** The changes of CustomResourceDefinitions from the next lower version to a version. */
export interface VersionDefinitions {
  readonly version: ModuleVersion;
  readonly before: ModuleVersion;
  /** Breaking ones first; `undefined` if the repository does not contain both manifests, or one cannot be read. */
  readonly changes: readonly DefinitionChange[] | undefined;
}

/** One change, as `check` classifies it by the schemas alone. */
export interface DefinitionChange {
  readonly definition: string;
  /** The version of the definition, and the field; empty if the whole definition changes. */
  readonly place: string;
  readonly impact: Impact;
  /** Whole sentences. */
  readonly message: string;
  readonly remedy: string;
}

/** The changes of definitions from each next lower version to each of `versions`, which are sorted highest first. */
export function versionDefinitions(
  module: ModuleName,
  versions: readonly ModuleVersion[],
  { manifests }: Pick<DashboardState, "manifests">,
): readonly VersionDefinitions[] {
  const manifestOf = (version: ModuleVersion): Manifest | undefined => {
    const manifest = manifests.get(inputsFolder(module, version));
    return manifest === undefined || manifest.findings.length > 0 ? undefined : manifest;
  };
  return versions.flatMap((version, place): VersionDefinitions[] => {
    const before = versions[place + 1];
    if (before === undefined) return [];
    const [now, then] = [manifestOf(version), manifestOf(before)];
    return [{ version, before, changes: now && then && changesTo(now)(then) }];
  });
}

/** Cached for each pair of manifests: every view of the page needs them. */
const changesTo = oncePer((now: Manifest) => oncePer((then: Manifest) => changesBetween(then, now)));

function changesBetween(before: Manifest, after: Manifest): readonly DefinitionChange[] {
  const [old, now] = [byName(before), byName(after)];
  const gone = [...old.keys()].filter((name) => !now.has(name));
  const changes = [...now].flatMap(([definition, wanted]): readonly DefinitionChange[] => {
    const served = old.get(definition);
    if (served === undefined) return [{ ...NEW, definition }];
    return compareDefinitions(served, wanted).map(({ version = "", field, class: impact, message, remedy }) => {
      return { place: `${version} ${field}`.trim(), impact, message, remedy, definition };
    });
  });
  const all = [...gone.map((definition) => ({ ...GONE, definition })), ...changes];
  return all.toSorted((a, b) => IMPACTS.indexOf(a.impact) - IMPACTS.indexOf(b.impact));
}

function byName(manifest: Manifest): ReadonlyMap<string, unknown> {
  return new Map(definitionsIn(manifest).map(({ object }) => [object.name, object.value]));
}

/** From the most to the least severe. */
export const IMPACTS: readonly Impact[] = ["breaking", "risky", "safe"];

type WholeChange = Omit<DefinitionChange, "definition">;

const GONE: WholeChange = {
  place: "",
  impact: "breaking",
  message: "The definition is removed, and every object of its kind with it.",
  remedy: "Keep the definition until no cluster has such objects.",
};

const NEW: WholeChange = {
  place: "",
  impact: "safe",
  message: "The definition is new.",
  remedy: "No action is needed.",
};

/** The maximum number of changes of a version on the page; others are counted. */
const SHOWN = 20;

/** The changes of CustomResourceDefinitions by version. */
export function definitionsSection(versions: readonly VersionDefinitions[]): Html {
  if (versions.every(({ changes }) => changes === undefined)) return NOTHING;
  const headings = ["Version", "Impact", "CustomResourceDefinition", "What changes", "What to do"];
  const table = dataTable(headings, versions.map(versionRows), "wide-table");
  const note = html`<p class="side-note small-text muted-text">
    From a comparison of the schemas with the next lower version. <code>check</code> also tests possible breaks on a
    real API server.
  </p>`;
  return section(
    "definitions",
    "Changes of CustomResourceDefinitions",
    html`${sideScroller("Changes", table)} ${note}`,
  );
}

function versionRows({ version, before, changes }: VersionDefinitions): Html {
  const name = html`<th scope="row">${version} <span class="muted-text">after ${before}</span></th>`;
  const saying = (text: string): Html =>
    html`<tr>
      ${name}
      <td colspan="4" class="muted-text">${text}</td>
    </tr>`;
  if (changes === undefined)
    return saying("not known: one of the two manifests is missing in the repository, or cannot be read");
  if (changes.length === 0) return saying("none");
  const more = changes.slice(SHOWN);
  return html`${changes.slice(0, SHOWN).map((change) => changeRow(name, change))}
  ${more.length === 0 ? NOTHING : saying(`and ${changeCounts(more)}`)}`;
}

function changeRow(name: Html, { definition, place, impact, message, remedy }: DefinitionChange): Html {
  return html`<tr>
    ${name}
    <td>${signIcon(SIGNS[impact], ` ${impact}`)}</td>
    <td>${definition} ${place === "" ? NOTHING : html`<code>${place}</code>`}</td>
    <td>${message}</td>
    <td>${impact === "safe" ? "–" : remedy}</td>
  </tr>`;
}

/** Such as `2 breaking, 3 safe`. */
function changeCounts(changes: readonly DefinitionChange[]): string {
  const counts = IMPACTS.map((impact) => [impact, changes.filter((one) => one.impact === impact).length] as const);
  return counts.flatMap(([impact, count]) => (count === 0 ? [] : [`${numberText(count)} ${impact}`])).join(", ");
}

const SIGNS: Readonly<Record<Impact, Sign>> = {
  breaking: { icon: "block", tone: "tone-stop" },
  risky: { icon: "warn", tone: "tone-wait" },
  safe: { icon: "none", tone: "tone-calm" },
};
