import { canonicalHash } from "../../document/canonical.ts";
import { FILE_START, type Finding } from "../../document/finding.ts";
import { compareText } from "../../document/order.ts";
import type { SnapshotFile } from "../../document/snapshot.ts";
import { locate, readYaml } from "../../document/yaml/read.ts";
import { changedTerms, RESTRICTIONS, type ModuleTerms } from "../../kubernetes/releaseMeta.ts";
import { conform } from "../conform.ts";
import type { ModuleName } from "../names.ts";
import { modulePath } from "../paths.ts";
import { validate } from "../schema.ts";
import { templateComponent } from "../template.ts";
import { compareVersions } from "../version.ts";
import { leave } from "./leftOut.ts";
import { madeFile } from "./made.ts";
import type { TemplatePlace, VersionContent } from "./place.ts";
import type { Incoming } from "./read.ts";
import type { MadeFile, SkippedInput } from "./result.ts";
import { conflictRemedy, newestGroup } from "./settle.ts";

/** The terms of a module in one ModuleReleaseMeta: an adoption must not change them. */
export interface TermsClaim extends Incoming {
  readonly module: ModuleName;
  readonly terms: ModuleTerms;
}

/** A template that the repository has after the import. */
interface StandingTemplate {
  readonly place: TemplatePlace;
  readonly content: VersionContent;
}

interface ModulesInput {
  readonly files: ReadonlyMap<string, SnapshotFile>;
  readonly templates: readonly StandingTemplate[];
  readonly claims: readonly TermsClaim[];
  readonly preferNewest: boolean;
}

interface ModuleDecision {
  readonly made: readonly MadeFile[];
  /** The claims that the module's file does not keep. */
  readonly leftOut: readonly SkippedInput[];
}

/** Makes the module files that the repository lacks. Existing files do not change. */
export function decideModules({ files, templates, claims, preferNewest }: ModulesInput): ModuleDecision {
  const decisions = [...Map.groupBy(templates, ({ place }) => place.module)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([module, same]) => {
      const own = claims.filter((claim) => claim.module === module);
      const file = files.get(modulePath(module));
      const component = describedComponent(same);
      return file === undefined
        ? makeModule(module, component, own, preferNewest)
        : { made: [], leftOut: compare(modulePath(module), file, component, own) };
    });
  return { made: decisions.flatMap(({ made }) => made), leftOut: decisions.flatMap(({ leftOut }) => leftOut) };
}

/** The OCM component in the descriptor of the highest version. */
function describedComponent(templates: readonly StandingTemplate[]): string | undefined {
  const [name] = templates
    .toSorted((a, b) => compareVersions(b.place.version, a.place.version))
    .flatMap(({ content }) => templateComponent(content.object).name ?? []);
  return name === undefined || validate("module", { format: 1, ocmComponentName: name }).length > 0 ? undefined : name;
}

function makeModule(
  module: ModuleName,
  described: string | undefined,
  claims: readonly TermsClaim[],
  preferNewest: boolean,
): ModuleDecision {
  const path = modulePath(module);
  const groups = termsClaimGroups(claims);
  const taken = groups.length < 2 ? claims : preferNewest ? newestGroup(groups) : undefined;
  if (taken === undefined) {
    const fields = claims.flatMap((a) => claims.flatMap((b) => changedTerms(a.terms, b.terms)));
    const differing = [...new Set(fields)].join(", ");
    const message = `It is one of ${groups.length} different contents for ${path}, which differ in ${differing}. ${conflictRemedy(preferNewest)}`;
    return { made: [], leftOut: claims.map((claim) => leave(claim, { reason: "conflict", message }, { path })) };
  }
  const terms = taken.reduce<ModuleTerms>((all, claim) => ({ ...all, ...claim.terms }), {});
  const newer = taken.map(({ source }) => source).join(" and ");
  const message = `It is older than ${newer}, which is taken for ${path}.`;
  return {
    made: moduleFile(path, terms, described),
    leftOut: claims
      .filter((claim) => !taken.includes(claim))
      .map((claim) => leave(claim, { reason: "older", message }, { path })),
  };
}

/** Groups claims with equal terms. A claim without a component agrees with the only one that others name. */
function termsClaimGroups(claims: readonly TermsClaim[]): readonly (readonly TermsClaim[])[] {
  const components = new Set(claims.flatMap(({ terms }) => terms.ocmComponentName ?? []));
  const [only] = components.size === 1 ? components : [];
  const keyOf = ({ terms }: TermsClaim): string => canonicalHash({ ocmComponentName: only, ...terms });
  return [...Map.groupBy(claims, keyOf).values()];
}

function moduleFile(path: string, terms: ModuleTerms, described: string | undefined): readonly MadeFile[] {
  const component = terms.ocmComponentName ?? described;
  const fields = { ...(component !== undefined && { ocmComponentName: component }), ...terms };
  const lines = Object.entries(fields).map(([field, value]) => fieldText(field, value));
  if (lines.length === 0) return [];
  const from = terms.ocmComponentName === undefined ? "the descriptor of the highest version" : "the ModuleReleaseMeta";
  const isRestricted = RESTRICTIONS.some((field) => field in terms);
  const because = [
    ...(component === undefined ? [] : [`OCM component ${component}, from ${from}`]),
    ...(isRestricted ? ["restrictions on who is offered it, from the ModuleReleaseMeta"] : []),
  ].join("; ");
  return [madeFile(path, "module", lines, because)];
}

/** As JSON, which is YAML, apart from text. */
function fieldText(field: string, value: unknown): string {
  return `${field}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Compares claims with the module's file in the repository. */
function compare(
  path: string,
  file: SnapshotFile,
  described: string | undefined,
  claims: readonly TermsClaim[],
): readonly SkippedInput[] {
  const reading = readYaml(path, file);
  const there = reading.kind === "read" ? conform("module", reading.file).value : undefined;
  if (there === undefined) {
    const message = `${path} is unreadable, so it cannot be compared. Correct it: kyma-modules check shows the problems.`;
    return claims.map((claim) => leave(claim, { reason: "conflict", message }, { path }));
  }
  const { ocmComponentName = described } = there;
  const terms = { ...there, ...(ocmComponentName !== undefined && { ocmComponentName }) };
  const message = `An import does not change ${path}, which differs from it in these fields.`;
  return claims.flatMap((claim) => {
    const problems = changedTerms(claim.terms, terms).map((field) => differenceIn(field, claim, terms, path));
    return problems.length === 0 ? [] : [leave(claim, { reason: "conflict", message }, { path, problems })];
  });
}

function differenceIn(field: keyof ModuleTerms, claim: TermsClaim, there: ModuleTerms, path: string): Finding {
  const { source, file, at, terms } = claim;
  const position = file === undefined ? FILE_START : locate(file, [...at, "spec", field]);
  const text = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));
  const message = `spec.${field} is ${text(terms[field])}, but in ${path} it is ${text(there[field])}.`;
  const remedy =
    terms[field] === undefined
      ? `Remove ${field} from that file.`
      : `Set it in that file: ${fieldText(field, terms[field])}`;
  return { rule: "terms", severity: "error", file: source, ...position, message, remedy };
}
