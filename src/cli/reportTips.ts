import type { Catalogue } from "../catalogue/catalogue.ts";
import type { EmbeddedLandscape } from "./compose.ts";

/** What is on this machine, as far as the tips depend on it. */
export interface Tools {
  readonly kubectl: boolean;
  readonly git: boolean;
}

/** Three commands that work as printed, in the folder in which the demo was started. */
export function tips(
  repository: string,
  catalogue: Catalogue,
  started: readonly EmbeddedLandscape[],
  tools: Tools,
): readonly string[] {
  const [first] = started;
  const template = [...catalogue.channels.values()].flatMap(({ templates }) => [...templates.values()])[0];
  if (first === undefined || template === undefined) return [];
  const folder = repository === "." ? "" : `${repository}/`;
  const file = `${folder}${template.file.path}`;
  const next = template.version.replace(/\d+(?=(-.*)?$)/, (patch) => String(Number(patch) + 1));
  const edit = `perl -pi -e 's/^  version: \\Q${template.version}\\E$/  version: ${next}/' ${file}`;
  const back = `perl -pi -e 's/^  version: \\Q${next}\\E$/  version: ${template.version}/' ${file}`;
  const look = `kubectl --kubeconfig ${first.kubeconfig} -n ${first.namespace} get moduletemplates,modulereleasemetas`;
  const remove = `rm ${file}`;
  const commands = [
    ...(tools.kubectl ? [look] : []),
    edit,
    tools.git ? `git -C ${repository} checkout -- channels` : back,
    ...(tools.kubectl ? [] : [remove]),
  ];
  return ["Try in another terminal; Ctrl-C ends the demo:", ...commands.map((command) => `  ${command}`)];
}
