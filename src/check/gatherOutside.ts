import { textAt } from "../catalogue/import/fields.ts";
import type { Inputs } from "../catalogue/inputs.ts";
import type { Manifest } from "../catalogue/manifest.ts";
import type { Registry as RegistrySettings } from "../catalogue/settings.ts";
import type { Template } from "../catalogue/template.ts";
import { parseImage } from "../kubernetes/image.ts";
import { imagesOf as imagesUsedBy } from "../kubernetes/imagesInManifest.ts";
import { imagesOf, readDescriptor, type DescriptorReading } from "../kubernetes/ocm/descriptor.ts";
import type { Links, Registry, Releases, Run } from "../ports.ts";
import { askAll, attempt } from "./askAll.ts";
import { embeddedDescriptor, registryThatCounts } from "./component.ts";
import { factOf, versionKey, type Component, type CorruptComponent, type Fact, type ServerVerdict } from "./facts.ts";
import { fetchComponent, fetchManifest, registryName } from "./fetchVersion.ts";
import type { Loaded } from "./load.ts";

/**
 * The outside, or why it is not asked. Whoever composes opens each system when it is first needed:
 *
 *     registry: async (settings) => openRegistry(settings, process.env)   // of systems/registry/registry.ts
 *     links: async () => openLinks(process.env)                           // of systems/links.ts
 *     releases: async () => gitReleases()                                 // of systems/releases.ts
 *
 * `server` is asked with `--server` only, also when nothing else is: an embedded one is no outside.
 */
export type Outside = (NotAsked | Asked) & { readonly server?: ServerOpinion };

/** Nobody is asked. */
export interface NotAsked {
  readonly kind: "not-asked";
  /** Half a sentence without a capital and without a full stop: `the outside was not asked (--offline)`. */
  readonly why: string;
}

/** Whom to ask. */
export interface Asked {
  readonly kind: "asked";
  /** Takes the settings that count: those of the base. */
  readonly registry: (settings: RegistrySettings | undefined) => Promise<Registry>;
  /** For manifests that only a link leads to. */
  readonly links: () => Promise<Links>;
  /** For the tags of versions. */
  readonly releases: () => Promise<Releases>;
}

/** What an API server says of the objects of a version, by their index, and of its default CR (-1). Throws its Faults. */
export type ServerOpinion = (version: Template, manifest: Manifest, run: Run) => Promise<readonly ServerVerdict[]>;

/** What is asked for. */
export interface Questions extends Loaded {
  /** What the base serves of the judged modules. */
  readonly served: readonly Template[];
  readonly inputs: ReadonlyMap<string, Inputs>;
}

/** What the outside answered. */
export interface Answers {
  /** Of the versions whose manifest is not in the repository. */
  readonly manifests: ReadonlyMap<string, Fact<Manifest>>;
  readonly components: ReadonlyMap<string, Fact<Component | CorruptComponent | undefined>>;
  readonly images: ReadonlyMap<string, Fact<string | undefined>>;
  readonly releases: ReadonlyMap<string, Fact<boolean>>;
  readonly server: ReadonlyMap<string, Fact<readonly ServerVerdict[]>>;
}

/**
 * Asks the outside about the judged versions, and about those in service as far as the repository does not hold their
 * manifests. What cannot be reached is an unknown fact; an abort throws its reason.
 */
export async function gatherOutside(questions: Questions, outside: Outside, run: Run): Promise<Answers> {
  const answers =
    outside.kind === "asked" ? await ask(questions, outside, run) : answersOfNobody(questions, outside.why);
  const { server: opinion } = outside;
  const server = opinion === undefined ? new Map() : await askServer(questions, answers, opinion, run);
  return { ...answers, server };
}

async function ask(questions: Questions, asked: Asked, run: Run): Promise<Omit<Answers, "server">> {
  const [judged, remote] = [byKey(questions.templates), remoteVersions(questions)];
  const settings = registryThatCounts(questions);
  const [registry, links, source] = await Promise.all([asked.registry(settings), asked.links(), asked.releases()]);
  const releases = askAll(judged, (template) => tagFact(template, source, run));
  const componentSource = { questions, settings, registry };
  const components = await askAll(new Map([...judged, ...remote]), (template) =>
    fetchComponent(template, componentSource, run),
  );
  const manifests = await askAll(remote, (template) => {
    const key = versionKey(template);
    return fetchManifest(template, questions.inputs.get(key), factOf(components, key), links, run);
  });
  const images = await askAll(imagesToAsk(questions, manifests, components), (reference) =>
    attempt(registryName(reference), () => registry.digestOf(reference, run), run),
  );
  return { manifests, components, images, releases: await releases };
}

/** The tag of a version in its source repository. */
async function tagFact({ object, version }: Template, releases: Releases, run: Run): Promise<Fact<boolean>> {
  const repository = textAt(object, ["spec", "info", "repository"]);
  if (repository === undefined) return { kind: "unknown", why: "its template names no repository" };
  return attempt(repository, () => releases.tagExists(repository, version, run), run);
}

function answersOfNobody(questions: Questions, why: string): Omit<Answers, "server"> {
  const all = (keys: Iterable<string>, reason = why): ReadonlyMap<string, Fact<never>> =>
    new Map([...keys].map((key) => [key, { kind: "unknown", why: reason }]));
  const judged = byKey(questions.templates);
  const manifests = all(remoteVersions(questions).keys(), `its manifest is not in the repository, and ${why}`);
  const images = all(imagesToAsk(questions, manifests, new Map()).keys());
  return { manifests, components: all(judged.keys()), images, releases: all(judged.keys()) };
}

async function askServer(
  { templates, inputs }: Questions,
  { manifests }: Pick<Answers, "manifests">,
  opinion: ServerOpinion,
  run: Run,
): Promise<Answers["server"]> {
  return askAll(byKey(templates), async (template): Promise<Fact<readonly ServerVerdict[]>> => {
    const manifest = manifestOf(versionKey(template), inputs, manifests);
    if (manifest.kind === "unknown") return manifest;
    return attempt("the API server", () => opinion(template, manifest.value, run), run);
  });
}

/** Each version once; its last template counts. */
function byKey(templates: readonly Template[]): ReadonlyMap<string, Template> {
  return new Map(templates.map((template) => [versionKey(template), template]));
}

/** The versions whose manifests are not in the repository. A judged version is as the head has it. */
function remoteVersions({ templates, served, inputs }: Questions): ReadonlyMap<string, Template> {
  const versions = byKey([...served, ...templates]);
  return new Map([...versions].filter(([key]) => localManifest(inputs.get(key)) === undefined));
}

function localManifest(inputs: Inputs | undefined): Manifest | undefined {
  const manifest = inputs?.manifest;
  return manifest !== undefined && "objects" in manifest ? manifest : undefined;
}

function manifestOf(key: string, inputs: Questions["inputs"], manifests: Answers["manifests"]): Fact<Manifest> {
  const local = localManifest(inputs.get(key));
  return local === undefined ? factOf(manifests, key) : { kind: "known", value: local };
}

/** The images of the judged versions: those that their manifests use, and those that their descriptors name. */
function imagesToAsk(
  { templates, inputs }: Questions,
  manifests: Answers["manifests"],
  components: Answers["components"],
): ReadonlyMap<string, string> {
  const references = [...byKey(templates)].flatMap(([key, template]) => {
    const manifest = manifestOf(key, inputs, manifests);
    const used = manifest.kind === "known" ? manifest.value.objects.flatMap(imagesUsedBy) : [];
    const readings = [embeddedDescriptor(template), publishedDescriptor(factOf(components, key))];
    const named = readings.flatMap((reading) => (reading.kind === "read" ? imagesOf(reading.descriptor) : []));
    return [...used.map(({ text }) => text), ...named.map(({ reference }) => reference)];
  });
  const known = references.filter((reference) => parseImage(reference) !== undefined);
  return new Map(known.map((reference) => [reference, reference]));
}

function publishedDescriptor(fact: Fact<Component | CorruptComponent | undefined>): DescriptorReading {
  const isThere = fact.kind === "known" && fact.value !== undefined && "descriptor" in fact.value;
  return isThere ? readDescriptor(fact.value.descriptor) : { kind: "empty" };
}
