/** Whether lifecycle-manager finds the artifact of a version. */
export type Artifact =
  | { readonly kind: "present" }
  | { readonly kind: "missing"; readonly where: string }
  /** The registry is unreachable, or denies read access. */
  | { readonly kind: "unknown"; readonly because: string };

/** The artifacts of versions that entries are to name, by `artifactKey`; or why they were not looked up. */
export type Artifacts =
  | { readonly kind: "asked"; readonly found: ReadonlyMap<string, Artifact> }
  | { readonly kind: "not-asked"; readonly because: string };

/** The reason of a refusal because of a missing artifact, in whole sentences. */
export function missingText({ where }: Extract<Artifact, { kind: "missing" }>): string {
  return `lifecycle-manager would find no OCM component version that it can install: ${where}. It would forget which version its users have.`;
}

/** The remedy of such a refusal. */
export const ARTIFACT_REMEDY = "Push it, or correct registry.";

/** The key of an artifact: `<module>@<version>`. */
export function artifactKey(module: string, version: string): string {
  return `${module}@${version}`;
}

/** Looks up an artifact; `undefined`: it was not looked up in the registry. */
export function artifactOf(artifacts: Artifacts, module: string, version: string): Artifact | undefined {
  return artifacts.kind === "asked" ? artifacts.found.get(artifactKey(module, version)) : undefined;
}
