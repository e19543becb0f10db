import type { RegistrySettings } from "../catalogue/settings.ts";
import { isJsonObject, type Json, type KubernetesObject } from "../kubernetes/object.ts";
import { whyNotInstallable } from "../kubernetes/ocm/installable.ts";
import { releaseTerms } from "../kubernetes/releaseMeta.ts";
import { Fault, type Registry, type Run } from "../ports.ts";
import { artifactKey, type Artifact, type Artifacts, type PlanInput } from "./plan/input.ts";
import {
  entryCases,
  requestedMoves,
  knownTemplate,
  moduleState,
  type ModuleState,
  liveTemplate,
} from "./plan/state.ts";
import { judgeTerms } from "./plan/releaseMeta.ts";
import { entryKey, isAbove } from "./plan/records.ts";
import { unsettledSlices } from "./plan/slices.ts";

/** The registry with the artifacts of versions, or why it is not used. */
export type ArtifactSource =
  | { readonly kind: "none"; readonly because: string }
  | {
      readonly kind: "registry";
      readonly settings: RegistrySettings;
      /** Opens the registry on first use. */
      readonly registry: () => Promise<Registry>;
    };

/**
 * Looks up the artifacts of the versions that entries will name: of those that move or come back, and of all entries if
 * their component changes. Skips versions that may not move yet.
 */
export async function gatherArtifacts(input: PlanInput, source: ArtifactSource, run: Run): Promise<Artifacts> {
  if (source.kind === "none") return { kind: "not-asked", because: source.because };
  const questions = unsettledSlices(input).flatMap((slice) => questionsOn(moduleState(slice, input)));
  const wanted = new Map(questions.map((question) => [artifactKey(question.module, question.version), question]));
  if (wanted.size === 0) return { kind: "asked", found: new Map() };
  const registry = await source.registry();
  const found = await Promise.all(
    [...wanted].map(async ([key, question]) => [key, await lookUp(question, source.settings, registry, run)] as const),
  );
  return { kind: "asked", found: new Map(found) };
}

interface ArtifactQuestion {
  readonly module: string;
  readonly version: string;
  /** `undefined` if it is not needed: the component has the descriptor. */
  readonly template: KubernetesObject | undefined;
  /** The component that lifecycle-manager reads; `undefined`: it reads the descriptor in the template. */
  readonly component: string | undefined;
}

function questionsOn(state: ModuleState): readonly ArtifactQuestion[] {
  const { module, desired, gate, options } = state;
  const isPerChannel = desired.target.generation === "channel-templates";
  // The one that the release meta will name: a refused change keeps the live one.
  const component = isPerChannel ? undefined : (judgeTerms(state).effective.ocmComponentName ?? "");
  const before = state.meta && releaseTerms(state.meta).ocmComponentName;
  const kept = isPerChannel || before === undefined || before === component ? [] : state.entries;
  return [
    ...requestedMoves(state).flatMap((move): readonly ArtifactQuestion[] => {
      const { version, template, mandatory, from, channel } = move;
      const question = { module, version, template, component };
      // A mandatory version may be withdrawn if it could never be installed. In a channel, lifecycle-manager keeps an
      // installed version above the new one only while it finds the artifact of the version that the channel serves.
      const isLeft = from !== undefined && (mandatory || isAbove(from, version));
      const left = isLeft ? [{ ...question, version: from, template: liveTemplate(from, channel, state) }] : [];
      const key = entryKey(move);
      const isBlocked = options.now === undefined && (gate.holds.has(key) || gate.waves.has(key));
      return [...(isBlocked ? [] : [question]), ...left];
    }),
    ...entryCases(state).flatMap(({ step: { channel, from }, applied }): readonly ArtifactQuestion[] =>
      applied === undefined || applied === from
        ? []
        : [{ module, version: applied, template: knownTemplate(applied, channel, state), component }],
    ),
    ...kept.map(({ version }) => ({ module, version, template: undefined, component })),
  ];
}

async function lookUp(
  question: ArtifactQuestion,
  settings: RegistrySettings,
  registry: Registry,
  run: Run,
): Promise<Artifact> {
  try {
    return question.component === undefined
      ? await lookUpLayers(question, registry, run)
      : await lookUpComponent(question, question.component, settings, registry, run);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.code === "REGISTRY_CORRUPT"
      ? { kind: "missing", where: error.message }
      : { kind: "unknown", because: error.message };
  }
}

async function lookUpComponent(
  { version }: ArtifactQuestion,
  component: string,
  { baseUrl }: RegistrySettings,
  registry: Registry,
  run: Run,
): Promise<Artifact> {
  const found = await registry.component(baseUrl, component, version, run);
  const where = `${baseUrl}/component-descriptors/${component}:${version}`;
  if (found === undefined) return { kind: "missing", where };
  const why = whyNotInstallable(found.descriptor) ?? (found.rawManifest ? undefined : "It has no raw-manifest.");
  return why === undefined ? { kind: "present" } : { kind: "missing", where: `${where}. ${why}` };
}

/** Up to 1.7, the template embeds the descriptor, and lifecycle-manager fetches only the layers. */
async function lookUpLayers({ template }: ArtifactQuestion, registry: Registry, run: Run): Promise<Artifact> {
  const { descriptor } = (template?.["spec"] ?? {}) as { readonly descriptor?: Json };
  const component = member(descriptor, "component");
  const name = jsonText(member(component, "name"));
  const version = jsonText(member(component, "version"));
  const bases = jsonList(member(component, "repositoryContexts")).flatMap(
    (context) => jsonText(member(context, "baseUrl")) ?? [],
  );
  const layers = jsonList(member(component, "resources")).flatMap((resource) => {
    const access = member(resource, "access");
    return jsonText(member(access, "localReference")) ?? jsonText(member(access, "digest")) ?? [];
  });
  const base = bases.at(-1);
  if (name === undefined || version === undefined || base === undefined || layers.length === 0)
    return { kind: "unknown", because: "the descriptor in the template names no layer" };
  const repository = `${base}/component-descriptors/${name}`;
  for (const digest of layers)
    if (!(await registry.hasLayer(repository, digest, run)))
      return { kind: "missing", where: `${repository}@${digest}` };
  return { kind: "present" };
}

function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

function jsonList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function jsonText(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
