import { oneLine } from "../../document/printable.ts";
import type { ControlPlane, Run } from "../../ports.ts";
import { configMap, configMapRef, configMapData } from "../configMap.ts";
import { codeOfPlan, codeOfSync } from "../exitCode.ts";
import { expectedObject } from "../identity.ts";
import { planEntries, isAmiss, planItems } from "../plan/item.ts";
import { placeOfKey, type EntryRecord } from "../plan/records.ts";
import { parseResults, type RequestResult } from "../plan/controls.ts";
import { waveClusters } from "../plan/soak.ts";
import type { PassReport } from "./pass.ts";
import { heldText, withheldIn, type RevisionChoice, type WithheldModule } from "./revisions.ts";

/** The ConfigMap with the status of a landscape. Only the controller writes it, and no decision depends on it. */
export const STATUS_NAME = "kyma-modules-status";

/** The status of a landscape, as `kubectl get configmap kyma-modules-status -o yaml` shows it. */
type StatusData = Readonly<
  Record<"revision" | "held" | "withheld" | "failures" | "entries" | "waiting" | "amiss" | "waves", string>
>;

/** The status, and the results of requests. */
export type StatusDocument = StatusData & { readonly requests: string };

/** The last status of the controller, as far as commits are concerned. */
export interface ControllerStatus {
  /** The time of the last change; `undefined`: not stated. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** The commit that is served. */
  readonly revision: string;
  /** The commit that is not served, and why; whole sentences. */
  readonly held: { readonly commit: string; readonly because: string } | undefined;
  /** What cannot be planned or written: about a module, or `everything`. */
  readonly failures: readonly { readonly about: string; readonly message: string }[];
  /** The modules whose files cannot be used, and why. */
  readonly withheld: readonly WithheldModule[];
}

/** The status after a pass: lines for people, in a stable order. */
export function passStatus({ serves, held }: RevisionChoice, { prepared, records, failures }: PassReport): StatusData {
  const entries = planEntries(prepared.plan);
  const counts = Map.groupBy(entries, ({ kind }) => kind);
  return {
    revision: serves?.commit ?? "",
    held: held === undefined ? "" : heldText(held),
    withheld: withheldIn(serves)
      .map(({ about, message }) => `${about}: ${message}`)
      .join("\n"),
    failures: [...failures]
      .map(([module, { message }]) => `${module || "everything"}: ${oneLine(message)}`)
      .sort()
      .join("\n"),
    entries: [...counts]
      .map(([kind, some]) => `${kind}: ${some.length}`)
      .sort()
      .join("\n"),
    waiting: entries
      .flatMap((entry) => (entry.kind === "waiting" ? [`${entry.channel}/${entry.module}: ${entry.reason}`] : []))
      .join("\n"),
    amiss: [
      ...entries.flatMap((entry) =>
        entry.kind === "refused" ? [`${entry.channel}/${entry.module}: ${entry.reason}`] : [],
      ),
      ...planItems(prepared.plan).flatMap((item) =>
        isAmiss(item) ? [`${item.object.kind} ${item.object.name}: ${item.kind}`] : [],
      ),
    ].join("\n"),
    waves: [...records]
      .flatMap(([key, record]) => waveLine(key, record))
      .sort()
      .join("\n"),
  };
}

function waveLine(key: string, { current }: EntryRecord): readonly string[] {
  if (current?.wave === undefined || waveClusters(current.wave) === 0) return [];
  const { failing, inOrder, pending, halt } = current.wave;
  const { channel, module } = placeOfKey(key);
  const state = halt === undefined ? "" : `; halted: ${halt.reason}`;
  return [
    `${channel}/${module} ${current.version}: ${inOrder} in order, ${pending} pending, ${failing} failing${state}`,
  ];
}

/** Reads the results of the requests that a controller has answered. */
export async function readResults(
  { controlPlane, namespace }: { readonly controlPlane: ControlPlane; readonly namespace: string },
  run: Run,
): Promise<ReadonlyMap<string, RequestResult>> {
  const live = await controlPlane.read(configMapRef(STATUS_NAME, namespace), run);
  return parseResults(configMapData(live)["requests"] ?? "{}");
}

/** The result of a requested sync, for the person who requested it. */
export function passResult({ prepared, result }: PassReport, nowMs: number): RequestResult {
  const entries = result.entries.filter(({ entry }) => entry.kind !== "unchanged");
  const objects = result.outcomes.filter(({ item }) => item.kind !== "unchanged" && item.kind !== "retained");
  return {
    atMs: nowMs,
    code: Math.max(codeOfPlan(prepared.plan), codeOfSync(result)),
    lines: [
      ...entries.map(({ entry, result: end }) => {
        const { channel, module, from = "–", to = "–" } = entry;
        const why = entry.kind === "waiting" || entry.kind === "refused" ? `: ${entry.reason}` : "";
        return `${entry.kind} ${channel}/${module} ${from} → ${to} (${end})${why}`;
      }),
      ...objects.map(({ item, result: end }) => `${item.kind} ${item.object.kind} ${item.object.name} (${end})`),
    ],
  };
}

/** Reads the status; `undefined`: no controller ever wrote one. */
export async function readStatus(
  controlPlane: ControlPlane,
  namespace: string,
  run: Run,
): Promise<ControllerStatus | undefined> {
  const live = await controlPlane.read(configMapRef(STATUS_NAME, namespace), run);
  if (live === undefined) return undefined;
  const { since = "", revision = "", held = "", failures = "", withheld = "" } = configMapData(live);
  const sinceMs = Date.parse(since);
  return {
    sinceMs: Number.isNaN(sinceMs) ? undefined : sinceMs,
    revision,
    held: parseHeld(held),
    failures: parseLines(failures),
    withheld: parseLines(withheld),
  };
}

function parseHeld(text: string): ControllerStatus["held"] {
  const [, commit, because] = /^(\S+): (.*)$/s.exec(text) ?? [];
  return commit === undefined || because === undefined ? undefined : { commit, because };
}

/** Lines of the form `about: message`. */
function parseLines(text: string): readonly { readonly about: string; readonly message: string }[] {
  return text.split("\n").flatMap((line) => {
    const [, about, message] = /^(\S+): (.*)$/.exec(line) ?? [];
    return about === undefined || message === undefined ? [] : [{ about, message }];
  });
}

/** Writes a status that changed, with the time of the change. Fields that are not given stay as they are. */
export async function writeStatus(
  status: Partial<StatusDocument>,
  sinceMs: number,
  { controlPlane, namespace }: { readonly controlPlane: ControlPlane; readonly namespace: string },
  run: Run,
): Promise<void> {
  const live = await controlPlane.read(configMapRef(STATUS_NAME, namespace), run);
  const before = configMapData(live);
  if (Object.entries(status).every(([field, text]) => before[field] === text)) return;
  const data = { ...before, ...status, since: new Date(sinceMs).toISOString() };
  await controlPlane.apply(configMap(STATUS_NAME, namespace, data), expectedObject(live), run);
}
