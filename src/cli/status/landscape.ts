import { placeOf, SETTINGS_PATH } from "../../catalogue/paths.ts";
import { parse } from "../../catalogue/parse.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type ControlPlane, type Run, type SteadyClock } from "../../ports.ts";
import { readStatus } from "../../sync/controller/status.ts";
import {
  isAnyAmiss,
  type KnownTimes,
  landscapeStatus,
  type LandscapeStatus,
  type StatusInput,
} from "../../sync/landscapeStatus.ts";
import { readLeaseHolder } from "../../sync/lease.ts";
import { readUsers } from "../../sync/observe.ts";
import { readObservations } from "../../sync/observedStore.ts";
import { CAREFUL } from "../../sync/plan/input.ts";
import { openSource } from "../compose/compose.ts";
import type { SyncScope } from "../compose/sync.ts";
import { clock, connect } from "../compose/systems.ts";
import { loadUsable } from "../loadCatalogue.ts";
import type { Prepared } from "../../sync/prepare.ts";
import { chosenLandscapes, openScope, prepareLandscape } from "../sync/landscapes.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { landscapeJson } from "./landscapeJson.ts";
import { landscapeText } from "./landscapeReport.ts";

/** The arguments of `status` for a landscape. */
export interface LandscapeArguments {
  readonly repo: string;
  readonly revision: string;
  readonly landscape: string;
  /** None: a landscape is told about as a whole. */
  readonly modules: readonly string[];
  readonly channel?: string | undefined;
  readonly offline: boolean;
}

/** The landscape that the one name in `names` is meant for; `undefined` where it is none, or a module is called so, too. */
export async function landscapeNamed(
  names: readonly string[],
  { repo, revision }: Pick<LandscapeArguments, "repo" | "revision">,
  run: Run,
): Promise<string | undefined> {
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  const modules = new Set<string>();
  const wants = (path: string): boolean => {
    const place = placeOf(path);
    if (place !== undefined && "module" in place) modules.add(place.module);
    return path === SETTINGS_PATH;
  };
  const snapshot = await openSource(repo, revision).snapshot(wants, run);
  const parsing = parse(snapshot.revision, snapshot.files);
  const { settings } = parsing.kind === "catalogue" ? parsing.catalogue : parsing.readable;
  const isLandscape = settings.landscapes.some((landscape) => landscape.name === name);
  return isLandscape && !modules.has(name) ? name : undefined;
}

/** `kyma-modules status LANDSCAPE`: how its control plane stands. Gives the exit code. */
export async function landscapeStatusCommand(
  arguments_: LandscapeArguments,
  output: Output,
  run: Run,
): Promise<number> {
  const { landscape: name, modules, channel, offline } = arguments_;
  if (channel !== undefined || (modules.length > 0 && modules.join() !== name))
    throw new Fault("CONFIGURATION", "A landscape is told about as a whole: leave out modules and --channel.");
  const request = { ...arguments_, worktree: false, withoutRegistry: offline, landscapes: [name], options: CAREFUL };
  const scope = await openScope(request, output, run, loadUsable);
  if (scope === undefined) return EXIT.findings;
  const [status] = await Promise.all(
    chosenLandscapes(scope.catalogue.settings, [name]).map((landscape) => look(scope, landscape, run)),
  );
  if (status === undefined) return EXIT.findings;
  const facts = { revision: scope.revision.commit, decidedAt: clock.nowMs() };
  output.report({
    text: (paper) => landscapeText(status, facts, paper),
    json: () => landscapeJson(status, facts),
  });
  return isAnyAmiss(status) ? EXIT.findings : EXIT.fine;
}

/** Looks at a control plane once. */
async function look(scope: SyncScope, landscape: Landscape, run: Run): Promise<LandscapeStatus> {
  return landscapeStatus(await gatherStatus(scope, landscape, run));
}

/** What a control plane holds, who writes to it, and who uses what. */
export async function gatherStatus(scope: SyncScope, landscape: Landscape, run: Run): Promise<StatusInput> {
  const controlPlane = await connect(landscape.controlPlane, scope.repository);
  const plan = (): Promise<Prepared> => prepareLandscape(scope, landscape, controlPlane, CAREFUL, run);
  return gatherStatusOf({ catalogue: scope.catalogue, landscape, controlPlane, clock, plan }, run);
}

/** A landscape that is told of, and how it is planned. */
export interface StatusQuestion extends Pick<StatusInput, "catalogue" | "landscape"> {
  readonly controlPlane: ControlPlane;
  readonly clock: SteadyClock;
  /** Asked once. */
  readonly plan: () => Promise<Prepared>;
}

/** The same, planned in its own way. */
export async function gatherStatusOf(question: StatusQuestion, run: Run): Promise<StatusInput> {
  const { catalogue, landscape, controlPlane, clock, plan } = question;
  const { namespace } = landscape;
  const [prepared, lease, controller, times] = await Promise.all([
    plan(),
    readLeaseHolder(namespace, { controlPlane, clock }, run),
    readStatus(controlPlane, namespace, run),
    readTimes(controlPlane, namespace, run),
  ]);
  const users = await usersOf(prepared.input.users, controlPlane, namespace, run);
  return { catalogue, landscape, prepared, users, lease, controller, times, nowMs: clock.nowMs() };
}

type Users = Awaited<ReturnType<typeof readUsers>>;

/** Where there is nothing to do, a plan does not ask who uses what. */
async function usersOf(planned: Users, controlPlane: ControlPlane, namespace: string, run: Run): Promise<Users> {
  return planned.kind === "known" ? planned : readUsers(controlPlane, namespace, run);
}

/** What a controller saw of times from the apply to Ready. Where that cannot be read, all else can be told. */
async function readTimes(controlPlane: ControlPlane, namespace: string, run: Run): Promise<KnownTimes> {
  try {
    return (await readObservations({ controlPlane, namespace }, run)).observations.times;
  } catch (error) {
    if (!(error instanceof Fault) || run.signal.aborted) throw error;
    run.log.warn("times to Ready are not known", { because: error.message });
    return new Map();
  }
}
