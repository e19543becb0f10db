import type { Evidence } from "../../catalogue/evidence/evidence.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { deadlineIn } from "../../catalogue/wave.ts";
import { counted } from "../../document/counted.ts";
import { printable } from "../../document/printable.ts";
import { durationText } from "../../document/times.ts";
import type { ExposureSum, LiveContent } from "../../fleet/exposure.ts";
import type { Run } from "../../ports.ts";
import { publishObserved, type ObservedRequest } from "../../promote/publish.ts";
import { observeLandscape, type ObservedLandscape } from "../../sync/observedLandscape.ts";
import { writeReports } from "../compose/compose.ts";
import { openPublishing } from "../compose/publishing.ts";
import type { SyncScope } from "../compose/sync.ts";
import { clock, connect } from "../compose/systems.ts";
import { publishedText } from "../evidence/command.ts";
import { landscapeAccount, chosenLandscapes, type LandscapeAccount, openScope } from "../sync/landscapes.ts";
import { EXIT, type Output } from "../terminal/output.ts";

interface ObserveArguments {
  readonly repo: string;
  readonly revision: string;
  /** Empty for all. */
  readonly landscapes: readonly string[];
  /** The file to write. */
  readonly evidence?: string | undefined;
  readonly publish: boolean;
  readonly remote?: string | undefined;
}

/**
 * `kyma-modules observe`: makes evidence of the versions that landscapes serve, and of their health. Returns the exit
 * code.
 */
export async function observeCommand(arguments_: ObserveArguments, output: Output, run: Run): Promise<number> {
  const scope = await openScope({ ...arguments_, worktree: false, withoutRegistry: true }, output, run);
  if (scope === undefined) return EXIT.findings;
  const landscapes = chosenLandscapes(scope.catalogue.settings, arguments_.landscapes);
  const looks = await Promise.all(landscapes.map((landscape) => look(scope, landscape, run)));
  output.result(looks.map(({ told }) => told.text).join("\n"));
  const evidence = looks.flatMap(({ told }) => told.evidence);
  await keep({ evidence, catalogue: scope.catalogue }, arguments_, output, run);
  return Math.max(EXIT.fine, ...looks.map(({ code }) => code));
}

async function keep(
  { evidence, catalogue }: ObservedRequest,
  arguments_: ObserveArguments,
  output: Output,
  run: Run,
): Promise<void> {
  const { evidence: file, publish } = arguments_;
  const text = `${JSON.stringify({ format: 1, evidence }, null, 2)}\n`;
  if (file !== undefined) await writeReports(new Map([[file, text]]), run);
  if (!publish) return;
  const world = await openPublishing(arguments_)(run);
  const { leftOut, ...published } = await publishObserved({ evidence, catalogue }, world, run);
  for (const { module, version } of leftOut)
    run.log.warn(`${module} ${version} is not in the catalogue with that content, so its evidence is not published`);
  const { name } = world.branch;
  output.say(
    published.count > 0 && published.paths.length === 0 ? `${NOTHING_NEW} ${name}` : publishedText(published, name),
  );
}

const NOTHING_NEW = "it changes no verdict for the worse, and the last evidence is recent: nothing was added to";

interface ObservedText {
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

function look(scope: SyncScope, landscape: Landscape, run: Run): Promise<LandscapeAccount<ObservedText>> {
  return landscapeAccount(
    async () => {
      const controlPlane = await connect(landscape.controlPlane, scope.repository);
      const deadlineMs = deadlineIn(landscape.name, scope.catalogue.settings);
      const request = { landscape, repository: scope.identity, controlPlane, deadlineMs };
      const observed: ObservedLandscape = await observeLandscape(request, clock, run);
      const told = { text: observedText(observed, clock.nowMs()), evidence: observed.evidence };
      return { told, code: observed.unknown === undefined ? EXIT.fine : EXIT.world };
    },
    (because) => ({ text: `${landscape.name}: not known: ${because}`, evidence: [] }),
    run,
  );
}

/** The observations on a landscape: a line for each content that it serves or served. */
function observedText(observed: ObservedLandscape, nowMs: number): string {
  const { landscape, byController, served, unobserved, exposure, unknown } = observed;
  const how = byController ? "as its controller observed it" : "observed once, because no controller runs";
  const sums = [...exposure.values()];
  const former = sums.filter((sum) => !served.some((content) => isSame(content, sum)));
  const lines = [
    ...served.map((content) => {
      const sum = sums.find((one) => isSame(content, one));
      const appliedMs = Math.min(...content.channels.map((channel) => channel.appliedMs));
      return [`served for ${durationText(nowMs - appliedMs)}`, content, sum] as const;
    }),
    ...former.map((sum) => ["no longer served", sum, sum] as const),
  ].map(([state, { module, version }, sum]) => `  ${module} ${version}: ${state}, ${sumText(sum, unknown, nowMs)}`);
  return [
    `${landscape}: ${how}`,
    ...(lines.length + unobserved.length === 0 ? ["  no served version is recorded"] : lines),
    ...unobserved.map(({ key, version }) => `  ${key} ${version}: no evidence, because ${UNOBSERVED}`),
    ...(unknown === undefined ? [] : [`  clusters could not be counted: ${unknown}`]),
  ]
    .map((line) => printable(line))
    .join("\n");
}

const UNOBSERVED =
  "its content is not recorded, or its template is gone or was changed by another client. See: kyma-modules plan";

function isSame(content: LiveContent, sum: ExposureSum): boolean {
  return content.uid === sum.uid && content.version === sum.version && content.specHash === sum.specHash;
}

function sumText(sum: ExposureSum | undefined, unknown: string | undefined, nowMs: number): string {
  if (sum === undefined) return unknown === undefined ? "not observed on any cluster" : "clusters are not known";
  const { clusters, healthy, healthyMs, observedMs } = sum;
  const hours = counted(Math.floor(healthyMs / 36_000) / 100, "healthy hour");
  const seen = nowMs - observedMs < 1000 ? "now" : `${durationText(nowMs - observedMs)} ago`;
  return `${healthy} of ${counted(clusters, "cluster")} in order, ${hours}; seen ${seen}`;
}
