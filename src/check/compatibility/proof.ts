import { versionKey } from "../../catalogue/lookup.ts";
import type { Template } from "../../catalogue/template.ts";
import type { Counterexample } from "../../kubernetes/crd/compare.ts";
import { blockLines } from "../../document/yaml/print.ts";
import { triedDefinition } from "../../kubernetes/crd/storage.ts";
import { jsonObject } from "../../kubernetes/crd/schema.ts";
import type { Context } from "../context.ts";
import { definitionsIn } from "../../kubernetes/customDefinitions.ts";
import { gatheredFact, type ConfirmedChange } from "../facts.ts";
import { Fault } from "../../ports.ts";
import { definitionBreaks, type Break } from "../rules/crd/compatible.ts";

/** A proven break, and its evidence. */
export interface Proof {
  /** `FILE:LINE:COLUMN` of the finding. */
  readonly place: string;
  /** The message of the finding. */
  readonly message: string;
  readonly before: VersionedDefinition;
  readonly after: VersionedDefinition;
  readonly example: Counterexample;
}

/** A CustomResourceDefinition, and the version of a module that installs it. */
export interface VersionedDefinition {
  readonly version: string;
  readonly definition: unknown;
}

/** All proven breaks, in the order of the findings of `crd-compatible`. */
export function proofsIn({ templates, facts }: Context): readonly Proof[] {
  return templates.flatMap((template) => {
    const manifest = gatheredFact(facts.manifests, versionKey(template));
    const resources = gatheredFact(facts.customResources, versionKey(template));
    if (manifest.kind === "unknown" || resources.kind === "unknown") return [];
    const breaks = definitionBreaks(resources.value, { template, manifest: manifest.value });
    return breaks.flatMap((one) => breakProofs(one, template, facts));
  });
}

function breakProofs(
  { violation, definition, change, versions: [version] }: Break,
  { module, version: judged }: Template,
  { servedManifests }: Context["facts"],
): readonly Proof[] {
  const served = version && gatheredFact(servedManifests, versionKey({ module, version }));
  if (change.confirmation !== "confirmed" || version === undefined || served?.kind !== "known") return [];
  const before = definitionsIn(served.value).find(({ object }) => object.name === definition.name);
  const { file, position, message } = violation;
  return [
    {
      place: `${file}:${position.line}:${position.column}`,
      message,
      before: { version, definition: triedDefinition(before?.object.value, change) },
      after: { version: judged, definition: definition.value },
      example: counterexampleTried(change),
    },
  ];
}

function counterexampleTried({ object, from, became }: ConfirmedChange): Counterexample {
  if (from !== undefined) return { kind: "update", old: jsonObject(from), new: jsonObject(object) };
  return { kind: became === undefined ? "create" : "read", object: jsonObject(object) };
}

/** The proof of the finding at `place`, with or without its column. Throws CONFIGURATION if there is none. */
export function proofAt(place: string, proofs: readonly Proof[]): Proof {
  const found = proofs.find((one) => one.place === place || one.place.startsWith(`${place}:`));
  if (found !== undefined) return found;
  const places = proofs.map((one) => one.place);
  throw new Fault(
    "CONFIGURATION",
    places.length === 0
      ? `No break is proven here, so there is nothing to reproduce at ${place}.`
      : `No break is proven at ${place}. Name one of these: ${places.join(", ")}.`,
  );
}

/** The definitions and objects of a proof as files. */
export function proofFiles({ before, after, example }: Proof): ReadonlyMap<string, string> {
  const yaml = (value: unknown): string => `${blockLines(value).join("\n")}\n`;
  return new Map([
    ["old.yaml", yaml(before.definition)],
    ["new.yaml", yaml(after.definition)],
    ...(example.kind === "update"
      ? ([
          ["object.yaml", yaml(example.old)],
          ["changed.yaml", yaml(example.new)],
        ] as const)
      : ([["object.yaml", yaml(example.object)]] as const)),
  ]);
}
