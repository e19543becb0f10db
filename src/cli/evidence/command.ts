import { shortCommit } from "../../document/printable.ts";
import { counted } from "../../document/counted.ts";
import { publishEvidence, type Published, type PublishRequest, type PublishWorld } from "../../promote/publish.ts";
import type { Run } from "../../ports.ts";
import { EXIT, type Output } from "../terminal/output.ts";

/** `kyma-modules evidence publish`: adds evidence to its branch. Returns the exit code. */
export async function publishCommand(
  request: PublishRequest,
  open: (run: Run) => Promise<PublishWorld>,
  output: Output,
  run: Run,
): Promise<number> {
  const world = await open(run);
  output.say(publishedText(await publishEvidence(request, world, run), world.branch.name));
  return EXIT.fine;
}

/** The result of publishing on a branch, as text. */
export function publishedText({ count, paths, commit }: Published, branch: string): string {
  if (count === 0) return `no evidence to publish on ${branch}`;
  const said =
    paths.length === 0 || commit === undefined
      ? `${branch} already has all of it`
      : `published on ${branch} as ${shortCommit(commit)}: ${counted(paths.length, "file")}`;
  return [said, ...paths.map((path) => `  ${path}`)].join("\n");
}
