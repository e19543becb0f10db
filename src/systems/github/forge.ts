import { Fault, type Clock, type Forge } from "../../ports.ts";
import { openAccount } from "./account.ts";
import { openBoard } from "./board.ts";
import { openClient, type Patience } from "./client.ts";
import { close } from "./close.ts";
import { readCredentials } from "./credentials.ts";
import { openMemory } from "./memory.ts";
import { merge } from "./merge.ts";
import { mergeTimes } from "./mergeTimes.ts";
import { look } from "./proposals.ts";
import { propose } from "./propose.ts";
import type { Site } from "./site.ts";

/** What the forge of a catalogue on GitHub is opened with. */
export interface ForgeSettings {
  /** `org/name`. */
  readonly repository: string;
  /** The branch that proposals go to. */
  readonly base: string;
  /** The folder of the catalogue in the repository: empty, or with a `/` at its end. */
  readonly prefix: string;
  /** Environment variables: credentials (see `readCredentials`), `GITHUB_API_URL`, and those that name proxies. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where merge times and recent writes are remembered, in files for each repository. */
  readonly cacheFolder: string;
  readonly clock: Clock;
  readonly patience?: Patience;
}

const API_URL = "https://api.github.com";

/**
 * The pull requests of a repository on GitHub. Nothing is asked yet. Throws FORGE_UNAUTHORIZED without credentials, and
 * CONFIGURATION for what is no repository or address.
 */
export async function openForge(settings: ForgeSettings): Promise<Forge> {
  const { repository, base, prefix, variables, cacheFolder, clock, patience } = settings;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new Fault("CONFIGURATION", `forge.repository is "${repository}": write it as organization/name.`);
  }
  const apiUrl = addressOf(variables);
  const credentials = await readCredentials(variables);
  const name = `${apiUrl.host}+${repository.toLowerCase()}+${base}`;
  const account = openAccount(cacheFolder, name);
  const site: Site = {
    github: openClient({ repository, apiUrl: apiUrl.href, credentials, variables, clock, account, patience }),
    base,
    prefix,
    memory: openMemory(cacheFolder, name),
    trees: new Map(),
    pulls: new Map(),
    ownMerges: new Map(),
    gates: new Set(),
    renewed: new Set(),
  };
  return {
    look: (prefixes, run) => look(site, prefixes, run),
    propose: (draft, known, run) => propose(site, draft, known, run),
    close: (proposal, why, run) => close(site, proposal, why, run),
    merge: (proposal, draft, run) => merge(site, proposal, draft, run),
    mergeTimes: (commits, run) => mergeTimes(site, commits, run),
    board: openBoard(site.github),
  };
}

function addressOf(variables: ForgeSettings["variables"]): URL {
  const given = variables["GITHUB_API_URL"] ?? "";
  const address = given === "" ? API_URL : given;
  if (URL.canParse(address)) return new URL(address);
  throw new Fault("CONFIGURATION", `GITHUB_API_URL is "${address}": write an address, such as ${API_URL}.`);
}
