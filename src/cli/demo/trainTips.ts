import { shellWord } from "../../document/shellWord.ts";
import type { EmbeddedLandscapes } from "../compose/demo.ts";
import type { DemoTarget } from "./keeper.ts";
import { mostServed, nextPatch } from "./tips.ts";

/** Commands that work as printed, in the folder in which the demo was started. */
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
    // In all places: the gate refuses to promote what says two versions.
    `perl -pi -e 's/\\Q${version}\\E/${next}/g' ${path}`,
    // It goes by the clock of the machine, by which what a fast clock wrote is yet to come.
    ...(speed === 1 ? [`npx kyma-modules rollout ${module} --landscape ${first.name} ${onClone}`] : []),
    `npx kyma-modules hold ${module}@${next} --reason "let us wait" --by octocat --direct ${onClone}`,
    `git -C ${shellWord(clone)} log --oneline`,
  ];
  return ["Try in another terminal, and see what happens here:", ...commands.map((command) => `  ${command}`)];
}
