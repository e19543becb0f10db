import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Template } from "../catalogue/template.ts";
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
  const template = mostServed(catalogue);
  if (first === undefined || template === undefined) return [];
  const file = quoted(repository === "." ? template.file.path : `${repository}/${template.file.path}`);
  const next = template.version.replace(/\d+(?=(-.*)?$)/, (patch) => String(Number(patch) + 1));
  const look = `kubectl --kubeconfig ${quoted(first.kubeconfig)} -n ${first.namespace} get moduletemplates,modulereleasemetas`;
  const undo = tools.git ? `git -C ${quoted(repository)} checkout -- channels` : edit(file, next, template.version);
  const commands = [...(tools.kubectl ? [look] : []), edit(file, template.version, next), undo, `rm ${file}`];
  return [
    "Try in another terminal, and see what happens here:",
    ...commands.slice(0, 3).map((command) => `  ${command}`),
  ];
}

/** A template of the channel that most landscapes serve: an edit of it is seen on every control plane. */
function mostServed({ channels }: Catalogue): Template | undefined {
  const widest = [...channels.values()]
    .filter(({ templates, kind }) => templates.size > 0 && kind === "release")
    .toSorted((a, b) => b.landscapes.length - a.landscapes.length);
  return widest[0]?.templates.values().next().value;
}

/** Perl is where git is, and edits in place the same way on Linux and macOS; sed does not. */
function edit(file: string, from: string, to: string): string {
  return `perl -pi -e 's/^  version: \\Q${from}\\E$/  version: ${to}/' ${file}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
