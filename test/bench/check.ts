import { existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeBump, writeCheckCatalogue } from "./checkCatalogue.ts";
import { preparePeers, type Peers } from "./checkPeers.ts";
import { atMost, ratioOf, seriesOf, type Measurement, type Ratio, type Sample, type Spread } from "./figures.ts";
import { sampleManifest } from "./sampleManifest.ts";
import type { Program, WholeProcess } from "./wholeProcess.ts";
import { inRounds, ROOT, type Workbench } from "./workbench.ts";

const TEMPLATES = 10_000;
const MODULES = 200;
const CHANNELS = 5;
/** Real definitions in several versions, beside this repository; the sample stands in for them. */
const DEFINITIONS = join(ROOT, "..", "shared", "kyma-data", "crds");

/** One thing to run, and what its output says of the work that it did; throws when it did not do it. */
interface Contestant {
  readonly name: string;
  readonly program: Program;
  readonly read: (stdout: string) => Sample["details"];
  /** Called before each run. */
  readonly prepare?: () => void;
  readonly samples: Sample[];
}

/** Everything that is run, by the role that it plays in the limits. */
interface Contest {
  readonly schema: Contestant;
  readonly everything: Contestant;
  readonly peers: { readonly kubeconform: Contestant; readonly kubectlValidate: Contestant } | undefined;
  readonly cold: Contestant;
  readonly warm: Contestant;
  readonly template: Contestant;
  readonly manifest: Contestant;
  readonly compare: Contestant;
}

/** `check` beside its peers on 10,000 templates, on 200 modules with manifests, on one change, and CRD comparison. */
export async function measureCheck(bench: Workbench): Promise<Measurement> {
  const [templates, modules] = [join(bench.folder, "check-templates"), join(bench.folder, "check-modules")];
  const [all, bump, bumpWithManifest] = ["check-all", "check-bump", "check-manifest"].map((name) =>
    join(bench.folder, name),
  ) as [string, string, string];
  bench.say(`check: writing ${TEMPLATES} channel files twice, and ${MODULES} manifests`);
  await writeCheckCatalogue(templates, { modules: TEMPLATES / CHANNELS, manifests: 0 }, bench.signal);
  await writeCheckCatalogue(modules, { modules: MODULES, manifests: MODULES }, bench.signal);
  await writeCheckCatalogue(all, { modules: TEMPLATES / CHANNELS, manifests: MODULES }, bench.signal);
  await writeBump(all, bump, { withManifest: false }, bench.signal);
  await writeBump(all, bumpWithManifest, { withManifest: true }, bench.signal);
  const peers = await preparePeers(globSync(join(templates, "channels", "*/")), bench);
  const contest: Contest = {
    ...templateContest(bench, templates),
    peers: "missing" in peers ? undefined : peerContest(peers),
    ...moduleContest(bench, modules),
    ...changeContest(bench, bump, bumpWithManifest),
    compare: comparison(bench),
  };
  const { peers: rivals, ...ours } = contest;
  const contestants = [...Object.values(rivals ?? {}), ...Object.values(ours)];
  await inRounds("check", bench, async (round) => {
    for (const one of contestants) {
      const sample = await runOnce(one, bench);
      if (round > 0) one.samples.push(sample);
    }
  });
  return judge(contest, contestants, "missing" in peers ? ` Without the peers: ${peers.missing}.` : "");
}

async function runOnce({ program, read, prepare }: Contestant, { measure }: Workbench): Promise<Sample> {
  prepare?.();
  const { stdout, wallSeconds, cpuSeconds, peakMiB }: WholeProcess = await measure(program);
  return { wallSeconds, cpuSeconds, peakMiB, details: read(stdout) };
}

/** Ours, on the same templates as the peers: the verdict of the schema, and all rules. */
function templateContest(bench: Workbench, folder: string): Pick<Contest, "schema" | "everything"> {
  const cache = join(bench.folder, "verdicts-templates");
  const rules = ["schema", "yaml-duplicate-key", "place-name"].flatMap((rule) => ["--rule", rule]);
  return {
    schema: ours("check, the schema's verdict", checkProgram(bench, folder, cache, rules), TEMPLATES),
    everything: ours("check, all rules", checkProgram(bench, folder, cache, []), TEMPLATES),
  };
}

/** 200 modules with manifests, before and after their verdicts are remembered. */
function moduleContest(bench: Workbench, folder: string): Pick<Contest, "cold" | "warm"> {
  const cache = join(bench.folder, "verdicts-modules");
  const program = checkProgram(bench, folder, cache, []);
  return {
    cold: { ...ours("check, 200 manifests, cold", program, MODULES * CHANNELS), prepare: forget(cache) },
    warm: ours("check, 200 manifests, warm", program, MODULES * CHANNELS),
  };
}

/** One change in a catalogue of 10,000, of which 200 modules have manifests. */
function changeContest(
  bench: Workbench,
  bump: string,
  bumpWithManifest: string,
): Pick<Contest, "template" | "manifest"> {
  const cache = join(bench.folder, "verdicts-change");
  const change = (name: string, folder: string): Contestant => ({
    ...ours(name, checkProgram(bench, folder, cache, ["--base", "HEAD~1"]), 1),
    prepare: forget(cache),
  });
  return {
    template: change("check --base, a template", bump),
    manifest: change("check --base, a template and its manifest", bumpWithManifest),
  };
}

function forget(cache: string): () => void {
  return () => {
    rmSync(cache, { recursive: true, force: true });
  };
}

function checkProgram({ folder }: Workbench, repository: string, cache: string, options: readonly string[]): Program {
  const main = join(ROOT, "src", "cli", "kyma-modules.js");
  return {
    program: process.execPath,
    args: [main, "check", "--offline", "--repo", repository, "--format", "json", ...options],
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: join(folder, "compile-cache"), XDG_CACHE_HOME: cache },
    // The rules may find something in the sample; what they cost is measured all the same.
    exitCodes: [0, 1],
  };
}

/** Findings are said, since the time of a report with thousands of them is not what is measured. */
function ours(name: string, program: Program, leastFiles: number): Contestant {
  const read = (stdout: string): Sample["details"] => {
    const { items } = JSON.parse(stdout) as { readonly items: readonly Readonly<Record<string, unknown>>[] };
    const counts = items.find(({ kind }) => kind === "counts") ?? {};
    const [files, errors, rulesNotRun] = ["files", "errors", "rulesNotRun"].map((key) => Number(counts[key]));
    if (files === undefined || !(files >= leastFiles)) throw new Error(`${name} judged ${String(files)} files`);
    return { files, errors: errors ?? Number.NaN, rulesNotRun: rulesNotRun ?? Number.NaN };
  };
  return { name, program, read, samples: [] };
}

function peerContest({ kubeconform, kubectlValidate }: Peers): NonNullable<Contest["peers"]> {
  const counting = (name: string, program: Program, count: (stdout: string) => number): Contestant => {
    const read = (stdout: string): Sample["details"] => {
      const files = count(stdout);
      if (files !== TEMPLATES) throw new Error(`${name} judged ${files} files:\n${stdout.slice(0, 1000)}`);
      return { files };
    };
    return { name, program, read, samples: [] };
  };
  return {
    kubeconform: counting("kubeconform", kubeconform, (text) => Number(/Valid: (\d+)/.exec(text)?.[1])),
    kubectlValidate: counting("kubectl-validate", kubectlValidate, (text) => text.split("OK").length - 1),
  };
}

function comparison({ folder }: Workbench): Contestant {
  const files = existsSync(DEFINITIONS) ? globSync(join(DEFINITIONS, "*__lm*.yaml")).sort() : sampleDefinitions(folder);
  const program = {
    program: process.execPath,
    args: [join(import.meta.dirname, "programs", "compareDefinitions.ts"), ...files],
    cwd: folder,
  };
  const read = (stdout: string): Sample["details"] => JSON.parse(stdout) as Record<string, number>;
  return { name: "CRD comparison", program, read, samples: [] };
}

function sampleDefinitions(folder: string): readonly string[] {
  return [0, 1, 2].map((revision) => {
    const path = join(folder, `definition-${revision}.yaml`);
    writeFileSync(path, sampleManifest({ index: 0, module: "sample-aaaa", version: "1.0.0" }, revision));
    return path;
  });
}

function judge(contest: Contest, contestants: readonly Contestant[], missing: string): Measurement {
  const { schema, everything, peers, cold, warm, template, manifest, compare } = contest;
  const wall = ({ wallSeconds }: Sample): number => wallSeconds;
  const cpu = ({ cpuSeconds }: Sample): number => cpuSeconds ?? Number.NaN;
  const ratio = (name: string, of: Contestant, to: Contestant, figure: (sample: Sample) => number): Ratio =>
    ratioOf({ name, of: [of.name, of.samples], to: [to.name, to.samples], figure });
  const ratios =
    peers === undefined
      ? []
      : [
          ratio("CPU seconds", schema, peers.kubeconform, cpu),
          ratio("wall seconds", everything, peers.kubeconform, wall),
          ratio("CPU seconds", schema, peers.kubectlValidate, cpu),
          ratio("wall seconds", everything, peers.kubectlValidate, wall),
        ];
  const wallOf = ({ name, samples }: Contestant): Spread => seriesOf(name, samples).wallSeconds;
  return {
    name: "check",
    what: `check --offline, from start to exit: ${TEMPLATES} templates beside kubeconform v0.7.0 -strict -n 2 and kubectl-validate v0.0.4; ${MODULES} modules with manifests; one change in ${TEMPLATES}; pairs of CustomResourceDefinitions.${missing}`,
    series: contestants.map(({ name, samples }) => seriesOf(name, samples)),
    ratios,
    limits: [
      atMost("the schema's verdict, CPU of kubeconform's", 1, "times", ratios[0]?.ratio ?? null),
      atMost("all rules, wall of kubeconform's", 2, "times", ratios[1]?.ratio ?? null),
      atMost("all rules, peak memory", 400, "MiB", seriesOf(everything.name, everything.samples).peakMiB),
      atMost(`${MODULES} manifests, cold, wall`, 40, "s", wallOf(cold)),
      atMost(`${MODULES} manifests, warm, wall`, 5, "s", wallOf(warm)),
      atMost("one changed template, wall", 1, "s", wallOf(template)),
      atMost("one changed template and manifest, wall", 2.5, "s", wallOf(manifest)),
      atMost(
        "CRD comparison, slowest pair",
        5,
        "ms",
        seriesOf(compare.name, compare.samples).details["slowestPairMs"] ?? null,
      ),
    ],
  };
}
