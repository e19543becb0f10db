import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBinaries } from "../../src/systems/embedded/binaries.ts";
import { startControlPlane, type EmbeddedControlPlane } from "../../src/systems/embedded/controlPlane.ts";
import { environmentFrom } from "../../src/systems/environment.ts";
import { quietRun } from "../support/quietRun.ts";
import type { Workbench } from "./workbench.ts";

/** The requests of one process, as the API server saw them. */
export interface Requests {
  readonly count: number;
  readonly writes: number;
  /** From the arrival of the first to the answer to the last. */
  readonly spanSeconds: number;
}

/** A control plane that notes when each request came and when it was answered. */
export interface AuditedControlPlane extends EmbeddedControlPlane {
  /** Reads what everybody but the server itself has asked for so far, watches aside. */
  readonly readRequests: () => (startedMs: number, endedMs: number) => Requests;
}

/** Who, when, what; nothing of the content, so that noting it costs little. */
const POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - { level: None, users: ["system:apiserver"] }
  - { level: Metadata }
`;

/** Starts a control plane like that of the demo, with an audit log. The caller stops it. */
export async function startAudited({ folder, signal, say }: Workbench): Promise<AuditedControlPlane> {
  const run = quietRun(signal);
  const { etcd, apiServer } = await findBinaries(environmentFrom(process.env), say, run);
  const [policy, log] = [join(folder, "audit-policy.yaml"), join(folder, "audit.log")];
  writeFileSync(policy, POLICY);
  const withAudit = join(folder, "kube-apiserver-with-audit");
  const flags = [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`].map(quoted).join(" ");
  writeFileSync(withAudit, `#!/bin/sh\nexec ${quoted(apiServer)} "$@" ${flags}\n`);
  chmodSync(withAudit, 0o755);
  const started = await startControlPlane({ name: "bench", binaries: { etcd, apiServer: withAudit } }, run);
  return {
    ...started,
    readRequests: () => {
      const events = readEvents(log);
      return (startedMs, endedMs) =>
        requestsOf(events.filter(({ cameMs }) => cameMs >= startedMs && cameMs <= endedMs));
    },
  };
}

function requestsOf(events: readonly Answered[]): Requests {
  const first = Math.min(...events.map(({ cameMs }) => cameMs));
  const last = Math.max(...events.map(({ answeredMs }) => answeredMs));
  const writes = events.filter(({ verb }) => !["get", "list"].includes(verb)).length;
  return { count: events.length, writes, spanSeconds: (last - first) / 1000 };
}

interface Answered {
  readonly verb: string;
  readonly cameMs: number;
  readonly answeredMs: number;
}

interface AuditEvent {
  readonly verb: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly stage: string;
}

function readEvents(log: string): readonly Answered[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ stage, verb }) => stage === "ResponseComplete" && verb !== "watch")
    .map(({ verb, requestReceivedTimestamp, stageTimestamp }) => ({
      verb,
      cameMs: instantMs(requestReceivedTimestamp),
      answeredMs: instantMs(stageTimestamp),
    }));
}

/** `Date` reads milliseconds; the log has microseconds, and a request takes few milliseconds. */
function instantMs(text: string): number {
  const [, fraction = "0"] = /\.(\d+)Z$/.exec(text) ?? [];
  const whole = Date.parse(text.replace(/\.\d+Z$/, "Z"));
  return whole + Number(`0.${fraction}`) * 1000;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
