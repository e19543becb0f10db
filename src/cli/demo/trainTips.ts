import { shellWord } from "../../document/shellWord.ts";
import type { EmbeddedLandscapes } from "../compose/demo.ts";
import type { DemoTarget } from "./keeper.ts";
import { mostServed, nextPatch } from "./tips.ts";

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
