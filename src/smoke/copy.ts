import type { KubernetesObject } from "../kubernetes/object.ts";
import type { ApplyRefusal, Cluster, Run } from "../ports.ts";

/**
 * Why the schema refuses a new object with the content of a stored one; `undefined` if it does not. An update passes if
 * the invalid part does not change, so only a new object shows whether the schema accepts the content.
 */
export async function copyRefusal(
  stored: KubernetesObject,
  cluster: Cluster,
  run: Run,
): Promise<ApplyRefusal | undefined> {
  const { name, namespace, labels, annotations } = stored.metadata;
  const metadata = {
    name: `${name.slice(0, 50)}-smoke`,
    ...(namespace !== undefined && { namespace }),
    ...{ labels, annotations },
  };
  const { status: _status, ...content } = stored;
  // Not by POST: for some seconds after a definition was created, the API server delays every POST by two seconds.
  const answer = await cluster.apply({ ...content, metadata } as KubernetesObject, { isTrial: true }, run);
  return answer.kind === "refused" && answer.status === 422 ? answer : undefined;
}
