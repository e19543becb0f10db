import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Template } from "../../catalogue/template.ts";
import { shellWord } from "../../document/shellWord.ts";
import type { EmbeddedLandscapes } from "../compose/demo.ts";
import type { DemoTarget } from "./keeper.ts";

/** The tools on this machine on which the tips depend. */
interface Tools {
  readonly kubectl: boolean;
  readonly git: boolean;
}

/** The tips of a demo: commands that work as printed, in the folder where the demo was started. */
export function tips(
  { repository, catalogue }: DemoTarget,
  { landscapes: [first], kubeconfig }: EmbeddedLandscapes,
  { kubectl, git }: Tools,
): readonly string[] {
  const template = mostServed(catalogue);
  if (first === undefined || template === undefined) return [];
  const file = shellWord(repository === "." ? template.file.path : `${repository}/${template.file.path}`);
  const next = nextPatch(template.version);
  const onFirst = `kubectl --context ${shellWord(first.context)} -n ${first.namespace}`;
  const commands = [
    `export KUBECONFIG=${shellWord(kubeconfig)}`,
    `npx kyma-modules plan${repository === "." ? "" : ` --repo ${shellWord(repository)}`}${git ? "" : " --worktree"}`,
    edit(file, template.version, next),
    git ? `git -C ${shellWord(repository)} checkout -- channels` : edit(file, next, template.version),
    ...(kubectl ? [`${onFirst} delete moduletemplate ${template.module}-${template.version}`] : []),
  ];
  return ["Try these commands in another terminal, and watch this one:", ...commands.map((command) => `  ${command}`)];
}

/** The tips of a demo with clusters: commands that work as printed, in the folder where the demo was started. */
export function trainTips(
  { repository: clone, catalogue }: DemoTarget,
  { landscapes: [first], kubeconfig }: EmbeddedLandscapes,
  { repository, speed }: { readonly repository: string; readonly speed: number },
): readonly string[] {
  const template = mostServed(catalogue);
  if (first === undefined || template === undefined) return [];
  const { module, version, file } = template;
  const path = shellWord(repository === "." ? file.path : `${repository}/${file.path}`);
  const next = nextPatch(version);
  const onClone = `--repo ${shellWord(clone)}`;
  const commands = [
    `export KUBECONFIG=${shellWord(kubeconfig)}`,
    // Replace all occurrences: the gate refuses to promote a template that names two versions.
    `perl -pi -e 's/\\Q${version}\\E/${next}/g' ${path}`,
    // The command uses the clock of the machine, for which times of a fast clock are in the future.
    ...(speed === 1 ? [`npx kyma-modules rollout ${module} --landscape ${first.name} ${onClone}`] : []),
    `npx kyma-modules hold ${module}@${next} --reason "let us wait" --by octocat --direct ${onClone}`,
    `git -C ${shellWord(clone)} log --oneline`,
  ];
  return ["Try these commands in another terminal, and watch this one:", ...commands.map((command) => `  ${command}`)];
}

/** A template of the channel that most landscapes serve, so that an edit shows on every control plane. */
function mostServed({ channels }: Catalogue): Template | undefined {
  const widest = [...channels.values()]
    .filter(({ templates, kind }) => templates.size > 0 && kind === "release")
    .toSorted((a, b) => b.landscapes.length - a.landscapes.length);
  return widest[0]?.templates.values().next().value;
}

/** Uses Perl, which comes with Git, because sed edits in place differently on Linux and macOS. */
function edit(file: string, from: string, to: string): string {
  return `perl -pi -e 's/^  version: \\Q${from}\\E$/  version: ${to}/' ${file}`;
}

/** The version after a version. */
function nextPatch(version: string): string {
  return version.replace(/\d+(?=(-.*)?$)/, (patch) => String(Number(patch) + 1));
}
