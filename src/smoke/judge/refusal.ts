import { fieldAt, listAt } from "../../document/fields.ts";
import { objectText } from "../../kubernetes/installOrder.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { causeText, causesToFix } from "../../kubernetes/validation.ts";
import type { ApplyRefusal } from "../../ports.ts";
import type { Trouble } from "../step.ts";

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /immutable|may not change|cannot be changed|forbidden: updates to/i,
    "Keep the field as it was, or give the object another name: lifecycle-manager then replaces it.",
  ],
  [/must appear in spec\.versions|status\.storedVersions/, "Keep serving the stored version until no object needs it."],
  [/namespaces? .* not found/, "Create the namespace in the manifest, or use kyma-system."],
  [/is being terminated/, "Wait until the namespace is gone, or remove what its finalizers wait for."],
  [
    /does not know the kind/,
    "Add the definition of the kind to the manifest, or name the API in requires of module.yaml.",
  ],
  [
    /conversion webhook/,
    "Convert every version that is served: look at the conversion of the definition and at its pods.",
  ],
  [
    /failed calling webhook|failed to call webhook/,
    "Let the webhook answer, or set its failurePolicy and rules so that it blocks nothing else.",
  ],
  [/admission webhook .* denied/, "Write what the webhook accepts, or correct the webhook."],
  [/unknown field|field not declared in schema/, "Remove the field, or add it to the schema."],
  [
    /method not allowed|MethodNotAllowed/i,
    "Wait until the definition is no longer in Terminating: look at the finalizers of its objects.",
  ],
];

/** The trouble with an object that was refused. */
export function refusalTrouble(object: KubernetesObject, { message, causes }: ApplyRefusal): Trouble {
  const said = causes.length === 0 ? message : causesToFix(causes).map(causeText).join("; ");
  const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(`${message} ${said}`)) ?? [];
  return { object: objectText(object), said, remedy: remedy ?? "Correct the object in the manifest." };
}

/** Why a webhook configuration blocks a whole cluster when its pod is down; `undefined` where it does not. */
export function blockingTrouble(object: KubernetesObject): Trouble | undefined {
  if (!/^(Validating|Mutating)WebhookConfiguration$/.test(object.kind)) return undefined;
  const webhooks = listAt(object, ["webhooks"]).filter(blocksEverything);
  const [first] = webhooks;
  if (first === undefined) return undefined;
  return {
    object: objectText(object),
    said: `its webhook ${String(fieldAt(first, ["name"]))} is called for every object of every kind: if it does not answer, nothing can be written`,
    remedy:
      "Narrow its rules to kinds of the module, exclude namespaces with a selector, or set failurePolicy: Ignore.",
  };
}

function blocksEverything(webhook: unknown): boolean {
  const at = (field: string): unknown => fieldAt(webhook, [field]);
  if (at("failurePolicy") === "Ignore") return false;
  const isNarrowed = ["namespaceSelector", "objectSelector", "matchConditions"].some((field) => {
    const value = at(field);
    return value !== undefined && value !== null && Object.keys(value).length > 0;
  });
  if (isNarrowed) return false;
  return listAt(webhook, ["rules"]).some((rule) =>
    ["apiGroups", "resources"].every((field) => listAt(rule, [field]).some((item) => item === "*" || item === "*/*")),
  );
}
