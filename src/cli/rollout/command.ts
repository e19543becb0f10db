import type { Catalogue } from "../../catalogue/catalogue.ts";
import { servedModules, unservedText } from "../../catalogue/lookup.ts";
import type { ModuleName } from "../../catalogue/names.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { Fault, type Run } from "../../ports.ts";
import { landscapeRollout, type LandscapeRollout } from "../../sync/landscapeRollout.ts";
import { readModule } from "../arguments.ts";
import { clock } from "../compose/systems.ts";
import { loadUsable } from "../loadCatalogue.ts";
import { tellOf } from "../status/follow.ts";
import type { Gather } from "../status/gather.ts";
import { accountOf, chosenLandscapes, type LandscapeAccount, openScope } from "../sync/landscapes.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { rolloutCard } from "./card.ts";
import { noteText, rolloutText } from "./report.ts";
import { rolloutJson } from "./reportJson.ts";

/** The arguments of `rollout`. */
export interface RolloutArguments {
  readonly repo: string;
  readonly revision: string;
  /** `MODULE`, or `MODULE@VERSION`. */
  readonly module: string;
  /** `undefined`: all that serve the module. */
  readonly landscape?: string | undefined;
  readonly watch: boolean;
}

/** `kyma-modules rollout`: how many clusters have a version, and why the others do not. Gives the exit code. */
export async function rolloutCommand(arguments_: RolloutArguments, output: Output, run: Run): Promise<number> {
  const { repo, revision, landscape } = arguments_;
  const asked = readModule(arguments_.module);
  const scope = await openScope({ repo, revision, worktree: false, withoutRegistry: true }, output, run, loadUsable);
  if (scope === undefined) return EXIT.findings;
  const landscapes =
    landscape === undefined
      ? servingLandscapes(scope.catalogue, asked.module)
      : chosenLandscapes(scope.catalogue.settings, [landscape]);
  const tell = async (gather: Gather): Promise<number> => {
    const looks = await Promise.all(landscapes.map((one) => look(gather, one, asked, run)));
    const rollouts = looks.map(({ told }) => told);
    const facts = { revision: scope.revision.commit, decidedAt: clock.nowMs(), module: asked.module };
    output.show({
      text: (paper) => [...rollouts.map((one) => rolloutText(one, facts, paper)), ...noteText(rollouts)].join("\n\n"),
      json: () => rolloutJson(rollouts, facts),
      html: () => rolloutCard(rollouts, facts),
    });
    return Math.max(EXIT.fine, ...looks.map(({ code }) => code));
  };
  return tellOf({ scope, landscapes, watch: arguments_.watch }, tell, run);
}

/** The landscapes on which a channel serves the module. Throws CONFIGURATION where none does. */
function servingLandscapes(catalogue: Catalogue, module: ModuleName): readonly Landscape[] {
  const { channels, settings } = catalogue;
  const serving = [...channels.values()].filter(({ templates }) => templates.has(module));
  if (serving.length > 0)
    return settings.landscapes.filter(({ name }) => serving.some(({ landscapes }) => landscapes.includes(name)));
  const hint = "If a control plane still serves it, name that: --landscape.";
  throw new Fault("CONFIGURATION", `${unservedText(module, servedModules(catalogue))} ${hint}`);
}

function look(
  gather: Gather,
  landscape: Landscape,
  asked: ReturnType<typeof readModule>,
  run: Run,
): Promise<LandscapeAccount<LandscapeRollout>> {
  const count = async (): Promise<LandscapeAccount<LandscapeRollout>> => {
    const told = landscapeRollout(await gather(landscape, run), asked);
    return { told, code: told.unknown === undefined ? EXIT.fine : EXIT.world };
  };
  const nothing = { landscape: landscape.name, versions: [], kymas: undefined };
  return accountOf(count, (unknown) => ({ ...nothing, unknown }), run);
}
