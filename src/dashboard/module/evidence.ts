import type { Evidence, EvidenceOf } from "../../catalogue/evidence/evidence.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import { counted } from "../../document/counted.ts";
import { knownEvidence, shortHashes } from "../../promote/verdict/evidence/known.ts";
import { instant } from "../format.ts";
import { html, outwardLink, type Html } from "../html.ts";
import type { Sign } from "../icons.ts";
import { recordList, section, type RecordEntry } from "../parts.ts";
import { hashOfVersion, type ModuleFacts } from "./facts.ts";

/** One observation of a version, and whether it counts for a verdict. */
export interface EvidenceRow {
  readonly one: Evidence;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** The observation, as part of a sentence. */
  readonly says: string;
  /** Whether it speaks for the version or against it; `undefined`: neither by itself. */
  readonly speaks: "for" | "against" | undefined;
  readonly counts: boolean;
  /** Why it does not count, as part of a sentence. */
  readonly whyNot: string | undefined;
}

/** The observations of a version, newest first. */
export function moduleEvidence(
  facts: Pick<ModuleFacts, "module" | "history" | "evidence">,
  version: ModuleVersion,
  nowMs: number,
): readonly EvidenceRow[] {
  const specHash = hashOfVersion(facts, version) ?? "";
  const question = { content: { module: facts.module, version, specHash }, evidence: facts.evidence, nowMs };
  const newest = new Set<Evidence>(
    [
      knownEvidence("exposure", question),
      knownEvidence("health", question),
      knownEvidence("approval", question),
    ].flatMap(({ counted }) => counted.flat()),
  );
  return facts.evidence
    .filter((one) => one.version === version)
    .map((one) => {
      const whyNot = reasonAgainst(one, specHash, newest, nowMs);
      const atMs = Date.parse(one.observedAt);
      return { one, atMs, ...told(one), counts: whyNot === undefined, whyNot };
    })
    .sort((a, b) => b.atMs - a.atMs);
}

function reasonAgainst(
  one: Evidence,
  specHash: string,
  newest: ReadonlySet<Evidence>,
  nowMs: number,
): string | undefined {
  if (specHash === "") return "no channel has this version";
  if (one.specHash !== specHash) {
    const [theirs, ours] = shortHashes(one.specHash, specHash);
    return `it is for other content: ${theirs} instead of ${ours}`;
  }
  if (Date.parse(one.observedAt) > nowMs) return "its time is in the future";
  // Each path of a smoke test counts by itself, and serving counts from the first observation.
  if (one.kind === "smoke" || one.kind === "served" || newest.has(one)) return undefined;
  return "a newer one from the same place counts";
}

function told(one: Evidence): Pick<EvidenceRow, "says" | "speaks"> {
  switch (one.kind) {
    case "smoke":
      return smokeTold(one);
    case "served":
      return { says: `${one.landscape ?? "a landscape"} serves it`, speaks: "for" };
    case "exposure": {
      const hours = counted(Number(one.healthyHours.toFixed(2)), "healthy hour");
      return { says: `${counted(one.clusters, "cluster")}, ${hours}`, speaks: speaksIf(one.healthyHours > 0) };
    }
    case "health": {
      const { clusters, healthy } = one;
      const says = `${String(healthy)} of ${counted(clusters, "cluster")} are in order`;
      return { says, speaks: speaksIf(clusters > 0 && healthy === clusters) };
    }
    case "approval":
      return {
        says: `${one.by} ${one.approved ? "approved" : "refused"} it`,
        speaks: one.approved ? "for" : "against",
      };
  }
}

/** A figure is compared by the verdict only, so that it never speaks against a version here. */
function speaksIf(isFor: boolean): "for" | undefined {
  return isFor ? "for" : undefined;
}

function smokeTold({ paths, kubernetes }: EvidenceOf<"smoke">): Pick<EvidenceRow, "says" | "speaks"> {
  const failed = paths.filter((path) => path.failed.length > 0);
  const tried = failed.length > 0 ? failed : paths;
  const names = tried.map(({ from, failed: steps }) => {
    const path = from === undefined ? "install" : `upgrade from ${from}`;
    return steps.length === 0 ? path : `${path} (${steps.join(", ")})`;
  });
  const pods = paths.every((path) => path.pods) ? "" : ", without pods";
  const verb = failed.length > 0 ? "failed" : "did not fail";
  return {
    says: `${names.join(", ")} ${verb} on Kubernetes ${kubernetes}${pods}`,
    speaks: failed.length > 0 ? "against" : "for",
  };
}

/** The observations of one version, and whether they count. */
export function evidenceSection(
  version: ModuleVersion,
  specHash: string | undefined,
  rows: readonly EvidenceRow[],
  nowMs: number,
): Html {
  const content = specHash === undefined ? "no channel has it" : `only for this content, ${specHash.slice(0, 15)}`;
  const title = html`Evidence of ${version} <span>${content}</span>`;
  return section(
    `evidence-${version}`,
    title,
    recordList(
      rows.map((row) => evidenceEntry(row, nowMs)),
      "None.",
    ),
  );
}

function evidenceEntry(row: EvidenceRow, nowMs: number): RecordEntry {
  const { one, atMs, says, whyNot } = row;
  const counting = whyNot === undefined ? "counts" : `does not count: ${whyNot}`;
  const where = one.landscape === undefined ? "" : `, observed on ${one.landscape}`;
  return {
    sign: evidenceSign(row),
    content: html`<b>${one.kind}</b>: ${says}`,
    time: instant(atMs, nowMs),
    detail: html`${counting}; from ${outwardLink(one.source, one.source)}${where}`,
  };
}

function evidenceSign({ counts, speaks }: EvidenceRow): Sign {
  if (!counts || speaks === undefined) return { icon: "none", tone: "tone-calm" };
  return speaks === "against" ? { icon: "block", tone: "tone-stop" } : { icon: "ok", tone: "tone-calm" };
}
