import { versionKey } from "../../../catalogue/lookup.ts";
import type { Template } from "../../../catalogue/template.ts";
import { compareVersions } from "../../../catalogue/version.ts";
import type { Manifest } from "../../../kubernetes/manifest.ts";
import { meets } from "../../compatibility/compareServed.ts";
import type { Context } from "../../context.ts";
import { wholeManifest } from "../../facts.ts";
import { unjudged, type Unjudged } from "../../rule.ts";
import { templateSubject } from "./place.ts";

/** A version that the base serves, and its manifest. */
export interface ServedManifest {
  readonly template: Template;
  readonly manifest: Manifest;
}

/** The versions of a template's module that channels of the base serve, each once, newest first. */
export function servedVersions({ base }: Context, { module }: Template): readonly Template[] {
  const templates = [...(base?.channels.values() ?? [])].flatMap(({ templates }) => templates.get(module) ?? []);
  const versions = new Map(templates.map((template) => [versionKey(template), template]));
  return [...versions.values()].toSorted((a, b) => compareVersions(b.version, a.version));
}

/** The versions in service whose objects a template can meet. */
export function metBy(context: Context, template: Template): readonly Template[] {
  return servedVersions(context, template).filter((candidate) => meets(template, candidate));
}

/**
 * The version that the channel of a template serves in the base; if it serves none, the newest that any channel serves.
 */
export function templatePredecessor(context: Context, template: Template): Template | undefined {
  const own = template.channel && context.base?.channels.get(template.channel)?.templates.get(template.module);
  return own ?? servedVersions(context, template)[0];
}

/**
 * The manifests of `versions` that are known as a whole. For each other one, `missing` reports that `judged` was not
 * compared with it.
 */
export function templateManifests(
  { facts }: Context,
  judged: Template,
  versions: readonly Template[],
): { readonly known: readonly ServedManifest[]; readonly missing: readonly Unjudged[] } {
  const [known, missing]: [ServedManifest[], Unjudged[]] = [[], []];
  for (const template of versions) {
    const fact = wholeManifest(facts.servedManifests, versionKey(template));
    if (fact.kind === "known") known.push({ template, manifest: fact.value });
    else
      missing.push(
        unjudged(`it was not compared with ${template.version}, since ${fact.why}`, templateSubject(judged)),
      );
  }
  return { known, missing };
}
