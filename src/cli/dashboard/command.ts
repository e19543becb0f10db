import { exportedPages } from "../../dashboard/exported.ts";
import { StateKeeper, type KeptRevision } from "../../dashboard/keep.ts";
import { servePages } from "../../dashboard/serve.ts";
import type { LandscapeSight } from "../../dashboard/state.ts";
import { counted } from "../../document/counted.ts";
import { Fault, type Run } from "../../ports.ts";
import {
  isLoopback,
  NO_LANDSCAPES,
  openLandscapes,
  openPageHost,
  pageToken,
  writePages,
  type PageAuth,
} from "../compose/dashboard.ts";
import { openAssets } from "../compose/pageAssets.ts";
import type { HistoryPorts } from "../compose/promotion.ts";
import { codeOfCatalogue, sayUnreadable, sayUsable } from "../loadCatalogue.ts";
import { untilStopped } from "../terminal/endless.ts";
import { EXIT, type Output } from "../terminal/output.ts";

interface DashboardArguments extends KeptRevision {
  readonly repo: string;
  /** Do not contact the forge or control planes. */
  readonly offline: boolean;
  readonly bind: string;
  readonly port: number;
  /** `token`, or `header:NAME`. */
  readonly auth?: string | undefined;
  /** A folder to write pages into, instead of a server. */
  readonly export?: string | undefined;
}

/** How often landscapes and the repository are read, in milliseconds. */
const INTERVAL_MS = 10_000;

/** `kyma-modules dashboard`: shows the train as web pages until it is stopped. Returns the exit code. */
export async function dashboardCommand(
  arguments_: DashboardArguments,
  ports: HistoryPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const auth = pageAuth(arguments_);
  const { repo, offline } = arguments_;
  const landscapes = offline ? NO_LANDSCAPES : openLandscapes(repo);
  const keeper = await StateKeeper.open(arguments_, { open: () => ports, landscapes }, run);
  if (!(keeper instanceof StateKeeper)) {
    sayUnreadable(keeper.findings, output);
    return EXIT.findings;
  }
  const { catalogue } = keeper.state().gathered;
  sayUsable(catalogue, output);
  if (arguments_.export !== undefined)
    return Math.max(codeOfCatalogue(catalogue), await exportTo(arguments_.export, keeper, output, run));
  const { bind: host, port } = arguments_;
  const pages = await servePages(keeper, openPageHost({ host, port, auth }), INTERVAL_MS, run);
  output.result(`${pages.address}/`);
  output.say("Stop with Ctrl-C.");
  await untilStopped(pages.keep(run), run);
  return EXIT.fine;
}

/** Writes all pages into `folder`. Pages show what could not be read of landscapes, and the exit code is 3 then. */
async function exportTo(folder: string, keeper: StateKeeper, output: Output, run: Run): Promise<number> {
  await keeper.look(run);
  const { styles, files } = openAssets();
  const state = keeper.state();
  const pages = exportedPages(state, styles);
  const assets = styles.map((address): [string, string] => [address.slice(1), files.get(address)?.text ?? ""]);
  await writePages(folder, new Map([...pages, ...assets]), run);
  output.result(`${counted(pages.size, "page")} in ${folder}: open ${folder}/index.html`);
  const problems = state.landscapes.flatMap(readProblem);
  for (const problem of problems) output.say(problem);
  return problems.length > 0 ? EXIT.world : EXIT.fine;
}

/** Why a landscape or its clusters are not known; nothing if they are. */
function readProblem({ name, blind, input }: LandscapeSight): readonly string[] {
  if (blind !== undefined) return [`${name} could not be read: ${blind.because}`];
  return input?.users.kind === "unknown" ? [`The clusters of ${name} are not known: ${input.users.because}`] : [];
}

/** Who may see the pages. Throws CONFIGURATION if anyone could. */
function pageAuth({ bind, auth }: Pick<DashboardArguments, "bind" | "auth">): PageAuth | undefined {
  const header = /^header:([A-Za-z0-9-]{1,64})$/.exec(auth ?? "")?.[1];
  if (header !== undefined) return { kind: "header", name: header };
  if (auth === "token") return { kind: "token", token: requiredToken() };
  if (auth !== undefined) throw new Fault("CONFIGURATION", `--auth ${auth} is neither token nor header:NAME.`);
  if (isLoopback(bind)) return undefined;
  const remedy = "Restrict access: --auth token, or --auth header:NAME behind a proxy that sets the header.";
  throw new Fault("CONFIGURATION", `Anyone who can reach ${bind} could read the dashboard. ${remedy}`);
}

const SHORTEST_TOKEN = 16;

function requiredToken(): string {
  const token = pageToken();
  if (token.length >= SHORTEST_TOKEN) return token;
  throw new Fault(
    "CONFIGURATION",
    `--auth token needs KYMA_MODULES_DASHBOARD_TOKEN, of ${SHORTEST_TOKEN} characters or more.`,
  );
}
