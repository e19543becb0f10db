import { inputsFolder } from "../../catalogue/inputs.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { oncePer } from "../../document/once.ts";
import { compareDefinitions, type Impact } from "../../kubernetes/crd/compare.ts";
import { definitionsIn } from "../../kubernetes/customDefinitions.ts";
import type { Manifest } from "../../kubernetes/manifest.ts";
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
export function definitionsOf(
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
