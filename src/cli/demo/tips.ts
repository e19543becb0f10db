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

/** A template of the channel that most landscapes serve, so that an edit shows on every control plane. */
export function mostServed({ channels }: Catalogue): Template | undefined {
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
export function nextPatch(version: string): string {
  return version.replace(/\d+(?=(-.*)?$)/, (patch) => String(Number(patch) + 1));
}
