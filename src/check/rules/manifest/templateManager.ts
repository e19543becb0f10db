import { fieldAt, textAt } from "../../../document/fields.ts";
import type { Manifest, ManifestObject } from "../../../kubernetes/manifest.ts";
import type { Template } from "../../../catalogue/template.ts";

/** The object in `spec.manager`, whose state is the state of the module. Missing fields are empty texts. */
interface ManagerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** The manager that a template names; `undefined` when it names none. */
export function templateManager({ object }: Template): ManagerReference | undefined {
  const manager = fieldAt(object, ["spec", "manager"]);
  if (manager === undefined) return undefined;
  const text = (field: string): string => textAt(manager, [field]) ?? "";
  const apiVersion = [text("group"), text("version")].filter((part) => part !== "").join("/");
  return { apiVersion, kind: text("kind"), name: text("name"), namespace: text("namespace") };
}

/**
 * The object of a manifest that a reference names. A reference without a namespace matches objects in any namespace.
 */
export function findManager({ objects }: Manifest, manager: ManagerReference): ManifestObject | undefined {
  return objects.find(
    ({ apiVersion, kind, name, namespace }) =>
      apiVersion === manager.apiVersion &&
      kind === manager.kind &&
      name === manager.name &&
      ["", namespace].includes(manager.namespace),
  );
}
