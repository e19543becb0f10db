import type { BumpOrigin, BumpTarget } from "../../catalogue/bump.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { dateHistory } from "../../catalogue/history/dates.ts";
import { historiesOf } from "../../catalogue/history/moduleHistory.ts";
import { lookUpAtHead, lookUpInHistory, servedScope } from "../../catalogue/lookup.ts";
import { MAX_FILE_BYTES } from "../../document/snapshot.ts";
import type { Template } from "../../catalogue/template.ts";
import { Fault, type History, type Links, type NamedFiles, type Run } from "../../ports.ts";

/** The sources of templates. */
export interface OriginWorld {
  readonly namedFiles: NamedFiles;
  /** Opened only to fetch a template. */
  readonly links: () => Promise<Links>;
  readonly history: History;
}

/** The known facts before the search for a template. */
export interface OriginContext {
  readonly catalogue: Catalogue;
  /** The commit of the catalogue. */
  readonly base: string;
  readonly world: OriginWorld;
}

/**
 * The template of a version: from the file or the address `name`, else from the repository. Throws CONFIGURATION if
 * there is none.
 */
export async function readOrigin(
  name: string | undefined,
  target: BumpTarget,
  known: OriginContext,
  run: Run,
): Promise<BumpOrigin> {
  if (name === undefined) return lookUp(target, known, run);
  if (name.includes("://")) return { name, content: await download(name, await known.world.links(), run) };
  return known.world.namedFiles.readOne(name, run);
}

async function download(url: string, links: Links, run: Run): Promise<Uint8Array> {
  const content = await links.download(url, MAX_FILE_BYTES, run);
  if (content !== undefined) return content;
  throw new Fault("CONFIGURATION", `There is nothing at ${url}. Correct --template.`);
}

async function lookUp(target: BumpTarget, { catalogue, base, world }: OriginContext, run: Run): Promise<BumpOrigin> {
  const { module, version } = target;
  const atHead = lookUpAtHead(catalogue, module, version);
  if (atHead !== undefined) return originOf(atHead, "");
  const { cut, ...recorded } = await world.history.read(base, servedScope([catalogue], [module]), run);
  const found = lookUpInHistory(historiesOf(dateHistory(recorded)).of(module).served, version);
  if (found !== undefined) return originOf(found, " in history");
  if (cut !== undefined) throw cut;
  throw new Fault(
    "CONFIGURATION",
    `No channel ever served ${module} ${version}, and ${base.slice(0, 10)} has no modules/${module}/${version}/template.yaml. Name a template: --template FILE|URL.`,
  );
}

function originOf({ file }: Template, where: string): BumpOrigin {
  return { name: `${file.path}${where}`, content: Buffer.from(file.text) };
}
