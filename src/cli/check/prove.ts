import { fieldAt } from "../../document/fields.ts";
import { blockLines } from "../../document/yaml/print.ts";
import type { Context } from "../../check/context.ts";
import { proofsIn, type Proof, type VersionedDefinition } from "../../check/compatibility/proof.ts";
import { isLost } from "../../check/compatibility/trial.ts";
import { causesToFix, causeText, type ValidationVerdict } from "../../kubernetes/validation.ts";
import { Fault, type Run } from "../../ports.ts";
import type { CheckPorts } from "../compose/compose.ts";
import { EXIT, type Output } from "../terminal/output.ts";

/** The folder for the files of a proof, relative to the current directory. */
const FOLDER = "kyma-modules-proof";

/**
 * Reproduces a finding: writes both definitions and the object into a folder, starts an API server for each definition,
 * and tries there what the finding says breaks. Returns the exit code: success if it breaks there as well.
 */
export async function prove(
  finding: string,
  context: Context,
  ports: CheckPorts,
  output: Output,
  run: Run,
): Promise<number> {
  const proof = proofAt(finding, proofsIn(context));
  const { before, after, example, message, place } = proof;
  const files = filesOf(proof);
  await ports.writeFolder(FOLDER, files, run);
  output.result(`${place}: ${message}`);
  output.result(`wrote ${[...files.keys()].join(", ")} into ${FOLDER}/`);
  const [was, is] = [await attempt(before, proof, ports, run), await attempt(after, proof, ports, run)];
  output.result(`  old.yaml  ${before.version}  ${textOf(was, example.kind)}`);
  output.result(`  new.yaml  ${after.version}  ${textOf(is, example.kind)}`);
  const isShown = was.kind === "accepted" && (example.kind === "read" ? isLost(was, is) : is.kind === "refused");
  output.result(
    isShown
      ? "The API server behaves as the finding says."
      : "The API server does not behave as the finding says: please report this, with these files.",
  );
  return isShown ? EXIT.fine : EXIT.findings;
}

function proofAt(finding: string, proofs: readonly Proof[]): Proof {
  const found = proofs.find(({ place }) => place === finding || place.startsWith(`${finding}:`));
  if (found !== undefined) return found;
  const places = proofs.map(({ place }) => place);
  throw new Fault(
    "CONFIGURATION",
    places.length === 0
      ? `No break is proven here, so there is nothing to reproduce at ${finding}.`
      : `No break is proven at ${finding}. Name one of these: ${places.join(", ")}.`,
  );
}

function filesOf({ before, after, example }: Proof): ReadonlyMap<string, string> {
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

async function attempt(
  { definition }: VersionedDefinition,
  { example }: Proof,
  ports: CheckPorts,
  run: Run,
): Promise<ValidationVerdict> {
  const { server, stop } = await ports.startTrial(run);
  try {
    return await server.attempt(definition, example, run);
  } finally {
    await stop();
  }
}

function textOf(verdict: ValidationVerdict, act: Proof["example"]["kind"]): string {
  switch (verdict.kind) {
    case "accepted":
      return act === "read" ? `keeps spec: ${JSON.stringify(fieldAt(verdict.object, ["spec"]))}` : "accepts it";
    case "refused":
      return `refuses it: ${causesToFix(verdict.causes).map(causeText).join("; ")}`;
    case "not-evaluated":
      return `could not decide: ${verdict.why}`;
  }
}
