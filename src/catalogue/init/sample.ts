import { createHash } from "node:crypto";
import { compareText } from "../../document/order.ts";
import { cataloguePlace } from "../paths.ts";

/** The modules of the program's own catalogue in a sample: one that waits, one that is held, one mandatory. */
const MODULES: ReadonlySet<string> = new Set(["audit-log", "certificates", "object-store"]);
const CHANNELS: ReadonlySet<string> = new Set(["fast", "mandatory", "regular"]);

/** The registry of the sample's images. The name is reserved (RFC 6761), so requests for them reach no server. */
export const SAMPLE_REGISTRY = "registry.example/modules";
const OWN_REGISTRY = "europe-docker.pkg.dev/kyma-project/prod";

/**
 * The channels and modules of a sample, from those of the program's own repository.
 *
 * Takes:  `own`, the text of each file by its path; `organization`, the new owner.
 * Gives:  the files with the sample's registry and owners, and with updated digests of the manifests.
 */
export function sampleFiles(own: ReadonlyMap<string, string>, organization: string): ReadonlyMap<string, string> {
  const chosen = [...own].filter(([path]) => isChosen(path)).sort(([a], [b]) => compareText(a, b));
  const moved = chosen.map(([path, text]) => [path, text, text.replaceAll(OWN_REGISTRY, SAMPLE_REGISTRY)] as const);
  const digests = moved.map(([, before, after]) => [digest(before), digest(after)] as const);
  return new Map(
    moved.map(([path, , text]) => [
      path,
      digests
        .reduce((adapted, [before, after]) => adapted.replaceAll(before, after), text)
        .replaceAll("@kyma-project/", `@${organization}/`)
        .replace(SCHEMA_LINE, `$1${SCHEMAS}`),
    ]),
  );
}

/** The folder of the installed program's schemas. */
export const SCHEMAS = "node_modules/kyma-modules/schemas/";
const SCHEMA_LINE = /^(# yaml-language-server: \$schema=(?:\.\.?\/)+)schemas\//;

function isChosen(path: string): boolean {
  const [top, name = "", file = ""] = path.split("/");
  if (top === "modules") return MODULES.has(name);
  const place = cataloguePlace(path);
  if (place?.kind === "policy") return CHANNELS.has(place.channel);
  return place?.kind === "channel-template" && CHANNELS.has(name) && MODULES.has(file.replace(/\.yaml$/, ""));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
