import { objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { counted } from "../../document/counted.ts";
import type { Run } from "../../ports.ts";
import { rollOut } from "../rollOut.ts";
import { failed, type StepContext, type StepOutcome } from "../step.ts";

/** Installs the first version of the path, and waits until its workloads are available. */
export async function install(context: StepContext, run: Run): Promise<StepOutcome> {
  const content = context.from ?? context.to;
  const { objects } = content;
  const startedMs = context.clock.elapsedMs();
  const delivered = await context.delivery.bring(content, undefined, context, run);
  if (delivered.kind === "trouble") return failed(delivered.trouble);
  const rolledOut = await rollOut(objects, context, run);
  if (rolledOut.trouble !== undefined) return failed(rolledOut.trouble);
  // On an upgrade, the version that it leads to is judged.
  if (rolledOut.isIdle && context.from === undefined)
    return { kind: "notChecked", why: rolledOut.unchecked.join(", ") };
  const seconds = (context.clock.elapsedMs() - startedMs - delivered.heldMs) / 1000;
  return {
    kind: "passed",
    seen: { starts: { [context.from === undefined ? "to" : "from"]: seconds } },
    notes: [counted(objects.length, "object"), ...strangers(objects)],
    unchecked: [...delivered.unchecked, ...rolledOut.unchecked],
  };
}

const OF_THE_CLUSTER = /^(kube-.*|default)$/;

/** Notes on objects in namespaces of the cluster itself: they are accepted, but seldom intended. */
function strangers(objects: readonly KubernetesObject[]): readonly string[] {
  return objects
    .filter(({ metadata }) => OF_THE_CLUSTER.test(metadata.namespace ?? ""))
    .map(
      (object) =>
        `${objectText(object)} is in a namespace of the cluster: move it to kyma-system if it need not be there`,
    );
}
