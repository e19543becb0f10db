import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { statusCauses, notEvaluated, type ValidationVerdict } from "../../kubernetes/validation.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Run, ServedKind, TrialServer } from "../../ports.ts";
import type { Access } from "./access.ts";
import { Discovery } from "./discovery.ts";
import { get, type JsonRequest, request, type Response, apiRoot } from "./request.ts";
import { parseObject, resourcePath } from "./resource.ts";

/** Maximum of concurrent requests. */
const CONCURRENCY = 8;
/** Timeout until a new definition is served. */
const SERVED_WITHIN_MS = 10_000;
const PAUSE_MS = 50;

/** The relevant fields of an object. */
interface TrialObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: unknown;
}

/**
 * The API server behind `access` as the port `TrialServer`. With `mayInstall`, for throw-away servers only, installs
 * the definitions and namespaces of the objects first; otherwise changes nothing, and objects without them are not
 * evaluated.
 */
export function trialServer(access: Access, mayInstall: boolean): TrialServer {
  return {
    judge: async (objects, run) => {
      const subjects = objects.map(trialObject);
      const trial = new TrialRound(access, run);
      const verdicts = new Map<TrialObject, ValidationVerdict>();
      const first = subjects.filter(({ kind }) => kind === "CustomResourceDefinition" || kind === "Namespace");
      await trial.judgeAll(first, verdicts);
      if (mayInstall) await trial.install(first, subjects);
      await trial.judgeAll(
        subjects.filter((subject) => !first.includes(subject)),
        verdicts,
      );
      return subjects.map((subject) => verdicts.get(subject) ?? notEvaluated("it was not asked"));
    },
    attempt: async (definition, example, run) => {
      const begun = trialObject(example.kind === "update" ? example.old : example.object);
      const trial = new TrialRound(access, run);
      await trial.install([trialObject(definition)], [begun]);
      const created = await trial.create(begun);
      if (created.kind !== "accepted" || example.kind !== "update") return created;
      return trial.replace(trialObject(example.new), created.object);
    },
  };
}

/** One round of requests, with its own discovery cache. */
class TrialRound {
  readonly #access: Access;
  readonly #run: Run;
  readonly #discovery: Discovery;

  constructor(access: Access, run: Run) {
    this.#access = access;
    this.#discovery = new Discovery(access);
    this.#run = run;
  }

  async judgeAll(subjects: readonly TrialObject[], verdicts: Map<TrialObject, ValidationVerdict>): Promise<void> {
    await pLimit(CONCURRENCY).map(subjects, async (subject) => {
      verdicts.set(subject, await this.#judge(subject));
    });
  }

  async install(definitions: readonly TrialObject[], subjects: readonly TrialObject[]): Promise<void> {
    const named = definitions.filter(({ kind }) => kind === "Namespace").map(({ name }) => name);
    const namespaces = new Set([...subjects.map(({ namespace }) => namespace), ...named].filter((name) => name !== ""));
    for (const name of namespaces) {
      await this.#post("/api/v1/namespaces", trialObject({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
    }
    for (const definition of definitions)
      if (definition.kind === "CustomResourceDefinition")
        await this.#post(`${apiRoot(definition.apiVersion)}/customresourcedefinitions`, definition);
    await this.#waitFor(subjects);
  }

  async #waitFor(subjects: readonly TrialObject[]): Promise<void> {
    const until = performance.now() + SERVED_WITHIN_MS;
    for (const subject of subjects) {
      while ((await this.#kindOf(subject)) === undefined && performance.now() < until)
        await sleep(PAUSE_MS, undefined, { signal: this.#run.signal });
    }
  }

  /** Creates an object permanently and reads it. */
  async create(subject: TrialObject): Promise<ValidationVerdict> {
    const path = await this.#pathOf(subject);
    if (typeof path !== "string") return path;
    const created = verdictOn(await this.#post(`${path}?fieldValidation=Strict`, subject));
    if (created.kind !== "accepted") return created;
    const what = { path: `${path}/${encodeURIComponent(subject.name)}`, ...answerTo(subject) };
    return { kind: "accepted", object: await get(this.#access, what, this.#run) };
  }

  /** Replaces an existing object. */
  async replace(subject: TrialObject, there: unknown): Promise<ValidationVerdict> {
    const path = await this.#pathOf(subject);
    if (typeof path !== "string") return path;
    const { metadata } = there as { readonly metadata: object };
    const body = JSON.stringify({ ...(subject.object as object), metadata });
    const address = `${path}/${encodeURIComponent(subject.name)}?fieldValidation=Strict`;
    const sent = { method: "PUT", path: address, contentType: "application/json", body } as const;
    const what = { ...sent, ...answerTo(subject) };
    return verdictOn(await request(this.#access, what, [400, 409, 413, 422], this.#run));
  }

  /** The path of objects of the subject's kind and namespace, or why it is unknown. */
  async #pathOf(subject: TrialObject): Promise<string | Extract<ValidationVerdict, { kind: "not-evaluated" }>> {
    const { apiVersion, kind, name, namespace } = subject;
    if (apiVersion === "" || kind === "" || name === "") return notEvaluated("it has no apiVersion, kind or name");
    const resource = await this.#kindOf(subject);
    if (resource === undefined) return notEvaluated(`the server does not know the kind ${kind} (${apiVersion})`);
    const within = namespace === "" ? "default" : encodeURIComponent(namespace);
    return resourcePath(resource, resource.namespaced ? within : "");
  }

  async #judge(subject: TrialObject): Promise<ValidationVerdict> {
    const path = await this.#pathOf(subject);
    if (typeof path !== "string") return path;
    const { namespace } = subject;
    const answer = await this.#post(`${path}?dryRun=All&fieldValidation=Strict`, subject);
    const { status } = answer;
    if (status === 409) return notEvaluated("an object of that name exists there already");
    if (status === 404) return notEvaluated(`the server has no namespace ${namespace}`);
    return verdictOn(answer);
  }

  #kindOf({ apiVersion, kind }: TrialObject): Promise<ServedKind | undefined> {
    return this.#discovery.kindOf(apiVersion, kind, this.#run);
  }

  #post(path: string, subject: TrialObject): Promise<Response<KubernetesObject>> {
    const body = JSON.stringify(subject.object);
    const sent = { method: "POST", path, contentType: "application/json", body } as const;
    return request(this.#access, { ...sent, ...answerTo(subject) }, [400, 404, 409, 413, 422], this.#run);
  }
}

function answerTo(subject: TrialObject): Pick<JsonRequest<KubernetesObject>, "subject" | "parse"> {
  const { apiVersion, kind, name } = subject;
  const ref = { resource: { apiVersion, kind, plural: "" }, namespace: "", name };
  return { subject: `${kind} ${name}`, parse: (body) => parseObject(body, ref, true) };
}

function verdictOn({ found, body }: Response<KubernetesObject>): ValidationVerdict {
  return found === undefined ? { kind: "refused", causes: statusCauses(body) } : { kind: "accepted" };
}

function trialObject(object: unknown): TrialObject {
  const { apiVersion, kind, metadata } = (object ?? {}) as {
    readonly apiVersion?: unknown;
    readonly kind?: unknown;
    readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown } | null;
  };
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const names = { name: text(metadata?.name), namespace: text(metadata?.namespace) };
  return { apiVersion: text(apiVersion), kind: text(kind), ...names, object };
}
