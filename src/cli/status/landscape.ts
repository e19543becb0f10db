import { cataloguePlace, SETTINGS_PATH } from "../../catalogue/paths.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { servedModules, unservedText } from "../../catalogue/lookup.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type Run } from "../../ports.ts";
import { type EntryStatus, isAnyAmiss, landscapeStatus } from "../../sync/landscapeStatus.ts";
import { CAREFUL } from "../../sync/plan/input.ts";
import { openSource } from "../compose/compose.ts";
import { clock } from "../compose/systems.ts";
import { landscapeAccount, chosenLandscapes, type LandscapeAccount, openScope } from "../sync/landscapes.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { isChosen, refuseUnknownChannel } from "./command.ts";
import { type Gather, followTelling } from "./follow.ts";
import { landscapesJson } from "./landscapeJson.ts";
import { type LandscapeLook, landscapesText } from "./landscapeReport.ts";
import { codeOfCatalogue } from "../loadCatalogue.ts";
import { catalogueAt } from "../../reading/catalogue.ts";

interface LandscapeArguments {
  readonly repo: string;
  readonly revision: string;
  /** Empty for all. */
  readonly landscapes: readonly string[];
  /** Only these; empty for all. */
  readonly modules: readonly string[];
  readonly channel?: string | undefined;
  readonly offline: boolean;
  readonly watch: boolean;
}

/**
 * The landscape that the only name in `names` means; `undefined` if there is none, or if a module has the same name.
 */
export async function landscapeNamed(
  names: readonly string[],
  { repo, revision }: Pick<LandscapeArguments, "repo" | "revision">,
  run: Run,
): Promise<string | undefined> {
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  const modules = new Set<string>();
  const { readable } = await catalogueAt(openSource(repo, revision), run, (path) => {
    const place = cataloguePlace(path);
    if (place !== undefined && "module" in place) modules.add(place.module);
    return path === SETTINGS_PATH;
  });
  const isLandscape = readable.settings.landscapes.some((landscape) => landscape.name === name);
  return isLandscape && !modules.has(name) ? name : undefined;
}

/** `kyma-modules status LANDSCAPE`: shows the state of control planes. Returns the exit code. */
export async function landscapeStatusCommand(
  arguments_: LandscapeArguments,
  output: Output,
  run: Run,
): Promise<number> {
  const { offline, watch } = arguments_;
  const request = { ...arguments_, worktree: false, withoutRegistry: offline, options: CAREFUL };
  const scope = await openScope(request, output, run);
  if (scope === undefined) return EXIT.findings;
  const wanted = chosenEntries(arguments_, scope.catalogue);
  const landscapes = chosenLandscapes(scope.catalogue.settings, arguments_.landscapes);
  return followTelling(
    { scope, landscapes, watch },
    async (gather) => {
      const looks = await Promise.all(landscapes.map((one) => lookAtOne(one, gather, wanted, run)));
      const told = looks.map((look) => look.told);
      const facts = { revision: scope.revision.commit, decidedAt: clock.nowMs() };
      output.show({ text: (paper) => landscapesText(told, facts, paper), json: () => landscapesJson(told, facts) });
      const least = codeOfCatalogue(scope.catalogue);
      return Math.max(least, ...looks.map(({ code }) => code));
    },
    run,
  );
}

type IsWanted = (entry: Pick<EntryStatus, "module" | "channel">) => boolean;

/** The filter for entries. Throws CONFIGURATION for unknown names. */
function chosenEntries({ modules, channel }: LandscapeArguments, catalogue: Catalogue): IsWanted {
  const served = servedModules(catalogue);
  const unknown = modules.find((module) => !served.some((one) => one === module));
  if (unknown !== undefined) throw new Fault("CONFIGURATION", unservedText(unknown, served));
  refuseUnknownChannel(channel, [...catalogue.channels.keys()]);
  return (entry) => isChosen(entry, { modules, channel });
}

function lookAtOne(
  landscape: Landscape,
  gather: Gather,
  isWanted: IsWanted,
  run: Run,
): Promise<LandscapeAccount<LandscapeLook>> {
  const { name } = landscape;
  const look = async (): Promise<LandscapeAccount<LandscapeLook>> => {
    const input = await gather(landscape, run);
    const all = landscapeStatus(input);
    const status = { ...all, entries: all.entries.filter(isWanted) };
    const least = input.users.kind === "known" ? EXIT.fine : EXIT.world;
    return { told: { landscape: name, status }, code: isAnyAmiss(status) ? Math.max(least, EXIT.findings) : least };
  };
  return landscapeAccount(look, (unknown) => ({ landscape: name, unknown }), run);
}
