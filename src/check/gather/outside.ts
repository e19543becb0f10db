import { versionKey } from "../../catalogue/lookup.ts";
import { textAt } from "../../document/fields.ts";
import { type Inputs, localManifest } from "../../catalogue/inputs.ts";
import type { Manifest } from "../../kubernetes/manifest.ts";
import type { RegistrySettings } from "../../catalogue/settings.ts";
import type { Template } from "../../catalogue/template.ts";
import { parseImage } from "../../kubernetes/image.ts";
import { objectImages as imagesUsedBy } from "../../kubernetes/imagesInManifest.ts";
import { type DescriptorReading, imagesInDescriptor, readDescriptor } from "../../kubernetes/ocm/descriptor.ts";
import type { Links, Registry, Releases, Run } from "../../ports.ts";
import { askAll, attempt } from "./askAll.ts";
import { embeddedDescriptor, registryThatCounts } from "../../catalogue/component.ts";
import {
  manifestLink,
  versionManifest as readManifestOf,
  readComponent,
  type CorruptComponent,
  type NoManifest,
  type PublishedComponent,
  type ReadComponent,
} from "../../reading/manifest.ts";
import { type Fact, gatheredFact, type ServerVerdict } from "../facts.ts";
import type { Loaded } from "../load.ts";

/**
 * Clients of external systems, or why these are not asked. The composer opens each system when it is first needed.
 * `server` is set only with `--server`, and is asked even if no external system is, since an embedded server is not
 * external.
 */
export type Outside = (NotAsked | OutsideClients) & { readonly server?: ServerOpinion };

/** No external system is asked. */
interface NotAsked {
  readonly kind: "not-asked";
  /** A clause in lower case, without a full stop: `no server was contacted (--offline)`. */
  readonly why: string;
}

/** The external systems to ask. */
export interface OutsideClients {
  readonly kind: "asked";
  /** Takes the settings that count: those of the base. */
  readonly registry: (settings: RegistrySettings | undefined) => Promise<Registry>;
  /** For manifests that only a link leads to. */
  readonly links: () => Promise<Links>;
  /** For the tags of versions. */
  readonly releases: () => Promise<Releases>;
}

/**
 * Asks an API server for verdicts on the objects of a version, by index, and on its default CR (-1). Throws its Faults.
 */
export type ServerOpinion = (version: Template, manifest: Manifest, run: Run) => Promise<readonly ServerVerdict[]>;

/** The versions to ask about. */
interface OutsideQuestions extends Loaded {
  /** The templates of the judged modules that the base serves. */
  readonly served: readonly Template[];
  /** Of the head. */
  readonly inputs: ReadonlyMap<string, Inputs>;
  /** Of the base. */
  readonly servedInputs: ReadonlyMap<string, Inputs>;
}

/** The answers of external systems. */
interface Answers {
  /** Of the versions whose manifest is not in the repository. */
  readonly manifests: ReadonlyMap<string, Fact<Manifest>>;
  readonly components: ReadonlyMap<string, Fact<PublishedComponent | CorruptComponent | undefined>>;
  readonly images: ReadonlyMap<string, Fact<string | undefined>>;
  readonly releases: ReadonlyMap<string, Fact<boolean>>;
  readonly server: ReadonlyMap<string, Fact<readonly ServerVerdict[]>>;
}

/**
 * Asks external systems about the judged versions, and about versions in service whose manifests are not in the
 * repository. What cannot be reached is an unknown fact; an abort throws its reason.
 */
export async function gatherOutside(questions: OutsideQuestions, outside: Outside, run: Run): Promise<Answers> {
  const answers =
    outside.kind === "asked" ? await ask(questions, outside, run) : unaskedAnswers(questions, outside.why);
  const { server: opinion } = outside;
  const server = opinion === undefined ? new Map() : await askServer(questions, answers, opinion, run);
  return { ...answers, server };
}

async function ask(questions: OutsideQuestions, asked: OutsideClients, run: Run): Promise<Omit<Answers, "server">> {
  const [judged, remote] = [byKey(questions.templates), remoteVersions(questions)];
  const settings = registryThatCounts(questions);
  const [registry, links, source] = await Promise.all([asked.registry(settings), asked.links(), asked.releases()]);
  const releases = askAll(judged, async ({ object, version }): Promise<Fact<boolean>> => {
    const repository = textAt(object, ["spec", "info", "repository"]);
    if (repository === undefined) return { kind: "unknown", why: "its template names no repository" };
    return attempt(repository, () => source.tagExists(repository, version, run), run);
  });
  const read = await askAll(new Map([...judged, ...remote]), (template) =>
    attempt(
      registryName(`${settings?.baseUrl ?? ""}/${template.module}`),
      () => readComponent(template, questions, () => Promise.resolve(registry), run),
      run,
    ),
  );
  const components = new Map([...read].map(([key, fact]) => [key, publishedFact(fact)]));
  const manifests = await askAll(remote, (template) => {
    const key = versionKey(template);
    const inputs = questions.servedInputs.get(key) ?? questions.inputs.get(key);
    return fetchManifest(template, inputs, gatheredFact(read, key), links, run);
  });
  const images = await askAll(imagesToAsk(questions, manifests, components), (reference) =>
    attempt(registryName(reference), () => registry.digestOf(reference, run), run),
  );
  return { manifests, components, images, releases: await releases };
}

function unaskedAnswers(questions: OutsideQuestions, why: string): Omit<Answers, "server"> {
  const all = (keys: Iterable<string>, reason = why): ReadonlyMap<string, Fact<never>> =>
    new Map([...keys].map((key) => [key, { kind: "unknown", why: reason }]));
  const judged = byKey(questions.templates);
  const manifests = all(remoteVersions(questions).keys(), `its manifest is not in the repository, and ${why}`);
  const images = all(imagesToAsk(questions, manifests, new Map()).keys());
  return { manifests, components: all(judged.keys()), images, releases: all(judged.keys()) };
}

async function askServer(
  { templates, inputs }: OutsideQuestions,
  { manifests }: Pick<Answers, "manifests">,
  opinion: ServerOpinion,
  run: Run,
): Promise<Answers["server"]> {
  return askAll(byKey(templates), async (template): Promise<Fact<readonly ServerVerdict[]>> => {
    const manifest = askedManifest(versionKey(template), inputs, manifests);
    if (manifest.kind === "unknown") return manifest;
    return attempt("the API server", () => opinion(template, manifest.value, run), run);
  });
}

/** Each version once; its last template counts. */
function byKey(templates: readonly Template[]): ReadonlyMap<string, Template> {
  return new Map(templates.map((template) => [versionKey(template), template]));
}

/** The judged versions whose manifests are not in the head, and those in service whose manifests are not in the base. */
function remoteVersions({ templates, served, inputs, servedInputs }: OutsideQuestions): ReadonlyMap<string, Template> {
  const without = (versions: readonly Template[], own: ReadonlyMap<string, Inputs>): readonly Template[] =>
    versions.filter((template) => localManifest(own.get(versionKey(template))) === undefined);
  return byKey([...without(templates, inputs), ...without(served, servedInputs)]);
}

function askedManifest(
  key: string,
  inputs: OutsideQuestions["inputs"],
  manifests: Answers["manifests"],
): Fact<Manifest> {
  const local = localManifest(inputs.get(key));
  return local === undefined ? gatheredFact(manifests, key) : { kind: "known", value: local };
}

/**
 * The images of the judged versions, also of those without a template: those that their manifests use, and those that
 * their descriptors name.
 */
function imagesToAsk(
  { templates, folders, inputs }: OutsideQuestions,
  manifests: Answers["manifests"],
  components: Answers["components"],
): ReadonlyMap<string, string> {
  const used = [...folders, ...templates].flatMap((version) => {
    const manifest = askedManifest(versionKey(version), inputs, manifests);
    return manifest.kind === "known" ? manifest.value.objects.flatMap(imagesUsedBy).map(({ text }) => text) : [];
  });
  const named = [...byKey(templates)].flatMap(([key, template]) => {
    const readings = [embeddedDescriptor(template), publishedDescriptor(gatheredFact(components, key))];
    return readings.flatMap((reading) => (reading.kind === "read" ? imagesInDescriptor(reading.descriptor) : []));
  });
  const references = [...used, ...named.map(({ reference }) => reference)];
  const known = references.filter((reference) => parseImage(reference) !== undefined);
  return new Map(known.map((reference) => [reference, reference]));
}

function publishedDescriptor(fact: Fact<PublishedComponent | CorruptComponent | undefined>): DescriptorReading {
  const isThere = fact.kind === "known" && fact.value !== undefined && "descriptor" in fact.value;
  return isThere ? readDescriptor(fact.value.descriptor) : { kind: "empty" };
}

/** The manifest of a version that the repository does not hold. A component that could not be read leaves it unknown. */
async function fetchManifest(
  template: Template,
  inputs: Inputs | undefined,
  component: Fact<ReadComponent>,
  links: Links,
  run: Run,
): Promise<Fact<Manifest>> {
  if (component.kind === "unknown") return component;
  const sources = { inputs, component: () => Promise.resolve(component.value), links: () => Promise.resolve(links) };
  const fact = await attempt(
    manifestLink(template, inputs) ?? "its manifest",
    () => readManifestOf(template, sources, run),
    run,
  );
  if (fact.kind === "unknown") return fact;
  const { value } = fact;
  return "kind" in value ? { kind: "unknown", why: whyNone(value) } : { kind: "known", value };
}

function whyNone(none: NoManifest): string {
  switch (none.kind) {
    case "nowhere":
      return "its manifest is neither in the repository nor in the registry, and nothing links to it";
    case "dead-link":
      return `there is nothing at ${none.link}`;
    case "not-installable":
      return "lifecycle-manager cannot install its component version";
  }
}

/** A component that nothing leads to is unknown to rules, which judge what the registry has. */
function publishedFact(fact: Fact<ReadComponent>): Fact<PublishedComponent | CorruptComponent | undefined> {
  if (fact.kind === "unknown") return fact;
  const { value } = fact;
  return value !== undefined && "unnamed" in value ? { kind: "unknown", why: value.unnamed } : { kind: "known", value };
}

/** The registry of a reference, for messages. */
function registryName(reference: string): string {
  return `the registry ${parseImage(reference)?.registry ?? reference}`;
}
