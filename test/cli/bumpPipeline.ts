import { emptyFolder, type Folder } from "../systems/repository.ts";
import { freshCache } from "./caches.ts";
import { TEMPLATE } from "./bumping.ts";
import { run, type Ended } from "./program.ts";
import { looseFile, openTrain, type Train } from "./train.ts";

/** A catalogue on GitHub, and a team's pipeline that bumps in a fresh clone each time. */
export interface Pipeline {
  readonly train: Train;
  /** Path of the template that the team made. */
  readonly template: string;
  readonly bump: (...args: readonly string[]) => Promise<Ended>;
}

export async function openPipeline(options: Parameters<typeof openTrain>[0] = {}): Promise<Pipeline> {
  const train = await openTrain(options);
  const template = looseFile("template.yaml", TEMPLATE);
  return { train, template, bump: (...args) => bumpIn(freshClone(train), train, template, args) };
}

export function freshClone({ clone }: Train): Folder {
  const folder = emptyFolder();
  folder.git("clone", "--quiet", clone.git("remote", "get-url", "origin"), ".");
  return folder;
}

export function bumpIn(
  clone: Folder,
  { double }: Train,
  template: string,
  args: readonly string[],
  token = "ghp_persons",
): Promise<Ended> {
  return run(
    [
      ...["bump", "sample@1.2.0", "--channel", "fast", "--template", template, "--pull-request", "--offline"],
      ...["--repo", clone.path, ...args],
    ],
    { GITHUB_API_URL: double.url, GITHUB_TOKEN: token, GH_TOKEN: "", XDG_CACHE_HOME: freshCache() },
  );
}

export function pullsOf({ double }: Train): readonly string[] {
  return double.pulls().map(({ number, state, title, head }) => `#${number} ${state} ${head}: ${title}`);
}
