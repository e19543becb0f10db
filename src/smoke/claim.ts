import { fieldAt, textAt } from "../document/fields.ts";
import { parseJson } from "../document/json.ts";
import { objectKey } from "../kubernetes/installOrder.ts";
import { RESOURCES, type KubernetesObject, type Metadata, type ObjectRef } from "../kubernetes/object.ts";
import { Fault, type Run, type WriteAnswer } from "../ports.ts";
import { refusalTrouble } from "./judge/refusal.ts";
import type { StepContext } from "./step.ts";

/** Claims a cluster that is not our own, and lists what the run brings there. */
const CLAIM = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "kyma-modules-smoke", namespace: "default" },
  // How many runs held it, one after the other: so that each knows whether it still does.
  data: { objects: "[]", run: "1" },
} as const;
const REF: ObjectRef = { resource: RESOURCES.configMap, ...CLAIM.metadata };
const TEXT = `${CLAIM.kind} ${CLAIM.metadata.namespace}/${CLAIM.metadata.name}`;
const NOT_UNDERSTOOD = `${TEXT} lists what an earlier run left there, but cannot be read. Remove these objects, then the ConfigMap.`;

/** No object ever has this resourceVersion: an apply with it creates an object, and answers 409 if there is one. */
const NEVER = "1";

/**
 * After this many looks without a heartbeat, the run that made a claim counts as killed. Looks are counted instead of
 * time, so that a laptop that slept takes no claim of others.
 */
const LOOKS_UNTIL_DEAD = 15;

/** The objects that a run brings onto a cluster. */
export type Objects = readonly KubernetesObject[];
type ClaimContext = Pick<StepContext, "cluster" | "clock" | "limits">;
type Version = Pick<Metadata, "uid" | "resourceVersion">;

/** The claim of one path on a cluster. Until its end, a heartbeat tells other runs that this one is alive. */
export class ClusterClaim {
  /** The objects that a killed run may have left; `undefined` if no run was killed. */
  readonly left: Objects | undefined;
  readonly #context: ClaimContext;
  readonly #run: string;
  #version: Version;
  /** The last write. Each needs the version of the one before. */
  #writing: Promise<unknown> = Promise.resolve();
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  readonly #heart: Promise<void>;

  constructor(claim: KubernetesObject, left: Objects | undefined, context: ClaimContext, { log }: Run) {
    this.left = left;
    this.#context = context;
    this.#run = runIn(claim);
    this.#version = claim.metadata;
    // A signal of its own, because an interrupted path still cleans up.
    this.#heart = this.#beat({ log, signal: this.#over.signal });
  }

  /** Aborted, with a Fault, once the claim is gone: another run took this one for killed, as after a laptop slept. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Lists what the run brings, for the next run if this one is killed. Throws CLUSTER_REFUSED, CLUSTER_CONFLICT. */
  async list(objects: Objects, run: Run): Promise<void> {
    const answer = await this.#write({ objects: claimText(objects) }, run);
    this.lost.throwIfAborted();
    if (answer.kind === "refused") throw refused(answer);
  }

  /** Ends the claim on a cluster that is as it was. */
  async release(run: Run): Promise<void> {
    await this.end();
    await this.#context.cluster.remove(REF, run);
  }

  /** Stops the heartbeat. The list stays, so that the next run removes the objects. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#heart;
  }

  async #beat(run: Run): Promise<void> {
    for (let count = 1; !this.lost.aborted; count++)
      try {
        await this.#context.clock.pause(this.#context.limits.lookMs, run);
        await this.#write({ heartbeat: String(count) }, run);
      } catch (error) {
        if (run.signal.aborted) return;
        if (!(error instanceof Fault)) throw error;
        run.log.warn(`${TEXT} was not renewed, so that another run may take this one for killed: ${error.message}`);
      }
  }

  #write(data: Readonly<Record<string, string>>, run: Run): Promise<WriteAnswer> {
    const answer = this.#writing.then(() => this.#writeNext(data, run));
    this.#writing = answer.catch(() => undefined);
    return answer;
  }

  async #writeNext(data: Readonly<Record<string, string>>, run: Run): Promise<WriteAnswer> {
    for (;;) {
      const answer = await write(this.#version, data, this.#context, run);
      if (answer.kind === "accepted") this.#version = answer.object.metadata;
      // Also after a write whose answer was lost.
      else if ([404, 409].includes(answer.status) && (await this.#isOurs(run))) continue;
      return answer;
    }
  }

  async #isOurs(run: Run): Promise<boolean> {
    const live = await this.#context.cluster.read(REF, run);
    if (live !== undefined && live.metadata.uid === this.#version.uid && runIn(live) === this.#run) {
      this.#version = live.metadata;
      return true;
    }
    const { server } = this.#context.cluster;
    const message = `Another run took over ${server}, because this one did not renew ${TEXT} in time. Run it again.`;
    this.#lost.abort(new Fault("CLUSTER_CONFLICT", message));
    return false;
  }
}

/**
 * Claims a cluster that is not our own: waits while another run is alive there, and takes over from a killed one. Throws
 * CLUSTER_REFUSED.
 */
export async function takeClaim(context: ClaimContext, run: Run): Promise<ClusterClaim> {
  for (;;) {
    const claim = (await create(context, run)) ?? (await takeOver(await untilOver(context, run), context, run));
    if (claim !== undefined) return claim;
  }
}

/** Whether an object is a claim: it belongs to no module. */
export function isClaim(object: KubernetesObject): boolean {
  return objectKey(object) === objectKey(CLAIM);
}

/** Returns `undefined` if there is a claim. */
async function create(context: ClaimContext, run: Run): Promise<ClusterClaim | undefined> {
  const claim = { ...CLAIM, metadata: { ...CLAIM.metadata, resourceVersion: NEVER } };
  const answer = await context.cluster.apply(claim, { isTrial: false }, run);
  if (answer.kind === "accepted") return new ClusterClaim(answer.object, undefined, context, run);
  if (answer.status === 409) return undefined;
  throw refused(answer);
}

/** Waits until the claim of another run is gone, or that run is dead. Returns the claim of a dead one. */
async function untilOver({ cluster, clock, limits }: ClaimContext, run: Run): Promise<KubernetesObject | undefined> {
  let live = await cluster.read(REF, run);
  let isAlive = false;
  for (let looks = 0; live !== undefined && looks < LOOKS_UNTIL_DEAD; looks++) {
    await clock.pause(limits.lookMs, run);
    const now = await cluster.read(REF, run);
    if (now !== undefined && now.metadata.resourceVersion !== live.metadata.resourceVersion) {
      if (!isAlive) run.log.warn(`Another run uses ${cluster.server}: this one waits until that one ends.`);
      isAlive = true;
      looks = 0;
    }
    live = now;
  }
  return live;
}

/** Returns `undefined` if there is nothing to take over, or another run was faster. */
async function takeOver(
  dead: KubernetesObject | undefined,
  context: ClaimContext,
  run: Run,
): Promise<ClusterClaim | undefined> {
  if (dead === undefined) return undefined;
  const left = namedIn(dead);
  const answer = await write(dead.metadata, { run: String(Number(runIn(dead)) + 1) }, context, run);
  if (answer.kind === "accepted") return new ClusterClaim(answer.object, left, context, run);
  if ([404, 409].includes(answer.status)) return undefined;
  throw refused(answer);
}

/** Changes a claim of this version. */
function write(
  { uid, resourceVersion }: Version,
  data: Readonly<Record<string, string>>,
  { cluster }: ClaimContext,
  run: Run,
): Promise<WriteAnswer> {
  return cluster.patch(REF, { metadata: { uid, resourceVersion }, data }, { isTrial: false }, run);
}

function runIn(claim: KubernetesObject): string {
  return textAt(claim, ["data", "run"]) ?? "";
}

function refused(answer: Extract<WriteAnswer, { kind: "refused" }>): Fault {
  return new Fault("CLUSTER_REFUSED", `${TEXT}: ${refusalTrouble(CLAIM, answer).said}`);
}

function claimText(objects: Objects): string {
  return JSON.stringify(
    objects.map(({ apiVersion, kind, metadata: { name, namespace } }) => ({ apiVersion, kind, name, namespace })),
  );
}

function namedIn(claim: KubernetesObject): Objects {
  const named = parseJson(textAt(claim, ["data", "objects"]) ?? "");
  if (!Array.isArray(named)) throw new Fault("CLUSTER_REFUSED", NOT_UNDERSTOOD);
  return named.map((one: unknown) => {
    const text = (field: string): string => textAt(one, [field]) ?? "";
    const namespace = fieldAt(one, ["namespace"]);
    const metadata = { name: text("name"), ...(typeof namespace === "string" && { namespace }) };
    return { apiVersion: text("apiVersion"), kind: text("kind"), metadata };
  });
}
