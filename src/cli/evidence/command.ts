import { counted } from "../../document/counted.ts";
import { publishEvidence, type PublishRequest, type PublishWorld } from "../../promote/publish.ts";
import type { Run } from "../../ports.ts";
import { EXIT, type Output } from "../terminal/output.ts";

/** `kyma-modules evidence publish`: adds to the branch that keeps evidence. Gives the exit code. */
export async function publishCommand(
  request: PublishRequest,
  open: (run: Run) => Promise<PublishWorld>,
  output: Output,
  run: Run,
): Promise<number> {
  const world = await open(run);
  const { paths, commit } = await publishEvidence(request, world, run);
  const { name } = world.branch;
  const said =
    paths.length === 0 || commit === undefined
      ? `${name} has all of it already`
      : `published on ${name} as ${commit.slice(0, 10)}: ${counted(paths.length, "file")}`;
  output.say([said, ...paths.map((path) => `  ${path}`)].join("\n"));
  return EXIT.fine;
}
