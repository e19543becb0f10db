import type { RegistrySettings } from "../../catalogue/settings.ts";
import { parseImage } from "../../kubernetes/image.ts";
import { Fault, type Registry } from "../../ports.ts";
import type { Limits } from "../http/client.ts";
import { openWeb } from "../http/web.ts";
import { authorizedWeb } from "./authorization.ts";
import { componentImage, fetchComponent } from "./component.ts";
import { dockerCredentials, type CredentialVariables } from "./credentials.ts";
import { nameOf, repositories } from "./repository.ts";

/**
 * The registries of images, with the credentials of the Docker configuration.
 *
 * Uses plain HTTP only for the host in `settings`, and only if they allow it, regardless of the scheme of an address.
 * `variables` are used for proxies and the Docker configuration. Concurrent requests for one reference share one
 * request.
 */
export function openRegistry(
  settings: RegistrySettings | undefined,
  variables: CredentialVariables,
  limits?: Limits,
): Registry {
  const plain = settings?.plainHttp === true ? componentImage(settings.baseUrl, "none", "none").registry : undefined;
  const plainHost =
    plain !== undefined && URL.canParse(`http://${plain}`) ? new URL(`http://${plain}`).host : undefined;
  const mayAsk = ({ protocol, host }: URL): boolean =>
    protocol === "https:" || (protocol === "http:" && host === plainHost);
  const web = openWeb("REGISTRY", variables, mayAsk, limits);
  const source = repositories(authorizedWeb(web, dockerCredentials(variables)), (host) => host === plain);
  const [digests, components] = [shared<string | undefined>(), shared<Awaited<ReturnType<Registry["component"]>>>()];
  return {
    digestOf: async (reference, run) => {
      const image = parseImage(reference);
      if (image === undefined)
        throw new Fault("REGISTRY_REFUSED", `${reference} is not an image reference. Correct it.`);
      return digests(nameOf(image), () => source.digestOf(image, run));
    },
    component: async (baseUrl, name, version, run) => {
      const image = componentImage(baseUrl, name, version);
      return components(nameOf(image), () => fetchComponent(source, image, run));
    },
    hasLayer: async (repository, digest, run) => {
      const image = parseImage(repository.replace(/^[a-z]+:\/\//i, ""));
      if (image === undefined)
        throw new Fault("REGISTRY_REFUSED", `${repository} is not an image repository. Correct it.`);
      return source.hasBlob(image, digest, run);
    },
  };
}

/** Shares concurrent work for the same key. */
function shared<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}
