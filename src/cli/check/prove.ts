import { fieldAt } from "../../document/fields.ts";
import type { Context } from "../../check/context.ts";
import { proofFiles, proofAt, proofsIn, type Proof } from "../../check/compatibility/proof.ts";
import { reproduce } from "../../check/compatibility/reproduce.ts";
import { causesToFix, causeText, type ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run } from "../../ports.ts";
import type { CheckPorts } from "../compose/compose.ts";
import { EXIT, type Output } from "../terminal/output.ts";

/** The folder for the files of a proof, relative to the current directory. */
const FOLDER = "kyma-modules-proof";

/**
 * Writes both definitions and the object of a finding into a folder, and reproduces the finding. Returns the exit code:
 * success if it breaks on API servers as well.
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
  const files = proofFiles(proof);
  await ports.writeFolder(FOLDER, files, run);
  output.result(`${place}: ${message}`);
  output.result(`wrote ${[...files.keys()].join(", ")} into ${FOLDER}/`);
  const shown = await reproduce(proof, (of) => ports.startTrial(of), run);
  output.result(`  old.yaml  ${before.version}  ${proofVerdictText(shown.before, example.kind)}`);
  output.result(`  new.yaml  ${after.version}  ${proofVerdictText(shown.after, example.kind)}`);
  output.result(
    shown.isShown
      ? "The API server behaves as the finding says."
      : "The API server does not behave as the finding says: please report this, with these files.",
  );
  return shown.isShown ? EXIT.fine : EXIT.findings;
}

function proofVerdictText(verdict: ValidationVerdict, act: Proof["example"]["kind"]): string {
  switch (verdict.kind) {
    case "accepted":
      return act === "read" ? `keeps spec: ${JSON.stringify(fieldAt(verdict.object, ["spec"]))}` : "accepts it";
    case "refused":
      return `refuses it: ${causesToFix(verdict.causes).map(causeText).join("; ")}`;
    case "not-evaluated":
      return `could not decide: ${verdict.why}`;
  }
}
