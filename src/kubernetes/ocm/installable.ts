import { descriptorRawManifests, readDescriptor, type Descriptor, type DescriptorProblem } from "./descriptor.ts";

/** The media type of archives that lifecycle-manager unpacks. It reads every other layer as YAML. */
export const ARCHIVE_TYPE = "application/x-tar";

/** Repositories whose components lifecycle-manager reads. Source: OCM, api/oci/extensions/repositories. */
const CONTEXTS = /^(?:ociRegistry|(?:OCIRegistry|oci|CommonTransportFormat|ArtifactSet|DockerDaemon|Empty)(?:\/v1)?)$/;
/** The accesses that lifecycle-manager knows; one resource with another access is enough for it to refuse the version. */
const ACCESSES = /^(?:localBlob|localOciBlob|ociArtifact|ociRegistry)(?:\/v1)?$/;

/**
 * The parts of a valid descriptor with which lifecycle-manager cannot install the component version. Empty: it installs
 * the resource raw-manifest. Source: lifecycle-manager 1.20.4, internal/manifest/img/parse.go.
 */
export function installProblems(descriptor: Descriptor): readonly DescriptorProblem[] {
  return [...contextProblems(descriptor), ...accessProblems(descriptor), ...layerProblems(descriptor)];
}

/**
 * Why lifecycle-manager cannot install a component version with this descriptor, as a full sentence; `undefined`: it can.
 */
export function whyNotInstallable(value: unknown): string | undefined {
  const reading = readDescriptor(value);
  if (reading.kind === "empty") return "The descriptor is empty.";
  const installed = reading.kind === "read" ? installProblems(reading.descriptor) : [];
  const [first] = [...reading.problems, ...installed];
  return first && `${first.path.join(".") || "The descriptor"} ${first.message}.`;
}

function contextProblems({ schema, repositoryContexts }: Descriptor): readonly DescriptorProblem[] {
  const last = repositoryContexts.at(-1);
  if (last === undefined) {
    const path = schema === "v2" ? ["component", "repositoryContexts"] : ["repositoryContexts"];
    const message = "must name a repository: without one, lifecycle-manager finds no layer to install";
    const remedy = "Transfer the component version (ocm transfer ctf), or write {type: OCIRegistry, baseUrl: …}.";
    return [{ path, message, remedy }];
  }
  if (!CONTEXTS.test(last.type)) {
    const message = `must be a type of repository that lifecycle-manager knows, but is ${shown(last.type)}`;
    return [{ path: [...last.path, "type"], message, remedy: "Write OCIRegistry." }];
  }
  if (last.componentNameMapping !== "sha256-digest") return [];
  const message = "must be urlPath: with sha256-digest, lifecycle-manager looks for the layers where there are none";
  return [{ path: [...last.path, "componentNameMapping"], message, remedy: "Push the version again with urlPath." }];
}

function accessProblems({ resources }: Descriptor): readonly DescriptorProblem[] {
  return resources
    .filter(({ access }) => !ACCESSES.test(access.type))
    .map(({ path, access }) => ({
      path: [...path, "access", "type"],
      message: `must be localBlob, localOciBlob or ociArtifact, but is ${shown(access.type)}: with any other access of a resource, lifecycle-manager refuses the whole version`,
      remedy: "Add the resource as a local blob or an OCI artifact, or leave it out.",
    }));
}

function layerProblems(descriptor: Descriptor): readonly DescriptorProblem[] {
  return descriptorRawManifests(descriptor).flatMap(({ path, access: { localReference = "", mediaType = "" } }) => {
    const problem = (key: string, message: string, remedy: string): readonly DescriptorProblem[] => [
      { path: [...path, "access", key], message, remedy },
    ];
    // The structure lacks an absent one.
    const isLayer = localReference === "" || isLayerDigest(localReference);
    const isRead = mediaType === ARCHIVE_TYPE || !/tar|tgz/i.test(mediaType);
    return [
      ...(isLayer
        ? []
        : problem(
            "localReference",
            `must be the SHA-256 digest of one layer, but is ${shown(localReference)}`,
            "Push the manifest as one layer.",
          )),
      ...(isRead
        ? []
        : problem(
            "mediaType",
            `must be ${ARCHIVE_TYPE} for an archive, but is ${shown(mediaType)}, which lifecycle-manager reads as YAML`,
            `Push the manifest as YAML, or as a tar of the type ${ARCHIVE_TYPE}.`,
          )),
    ];
  });
}

/** Whether lifecycle-manager can fetch a layer by this text. Source: go-containerregistry, name.NewDigest. */
export function isLayerDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 160));
}
