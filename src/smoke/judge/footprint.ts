import { fieldAt, listAt, textAt } from "../../document/fields.ts";
import { parseQuantity } from "../../kubernetes/quantity.ts";
import type { KubernetesObject } from "../../kubernetes/object.ts";
import { WORKLOADS } from "./pods.ts";
import { objectGroupKind } from "../../kubernetes/installOrder.ts";
import type { Footprint } from "../path.ts";

/** The images and the requests of a version, by its manifest. */
export function requested(objects: readonly KubernetesObject[]): Pick<Footprint, "images" | "requests"> {
  const images = new Set<string>();
  const requests = { cpuMillicores: 0, memoryBytes: 0 };
  for (const object of objects.filter((one) => WORKLOADS.has(objectGroupKind(one)))) {
    const replicas = Number(fieldAt(object, ["spec", "replicas"]) ?? 1);
    for (const container of listAt(object, ["spec", "template", "spec", "containers"])) {
      const image = textAt(container, ["image"]);
      if (image !== undefined) images.add(image);
      const asked = (name: string): number => parseQuantity(fieldAt(container, ["resources", "requests", name])) ?? 0;
      requests.cpuMillicores += Math.round(asked("cpu") * 1000) * replicas;
      requests.memoryBytes += asked("memory") * replicas;
    }
  }
  return { images: [...images].sort(), requests };
}
