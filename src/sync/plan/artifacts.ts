/** Whether lifecycle-manager finds what a version installs. */
export type Artifact =
  | { readonly kind: "present" }
  | { readonly kind: "missing"; readonly where: string }
  /** Nobody could tell: the registry was not reached, or does not let us read. */
  | { readonly kind: "unknown"; readonly because: string };

/** By `artifactKey`, of the versions that a landscape has not had; or why nobody asked. */
export type Artifacts =
  | { readonly kind: "asked"; readonly found: ReadonlyMap<string, Artifact> }
  | { readonly kind: "not-asked"; readonly because: string };

/** Tells one artifact from another. */
export function artifactKey(module: string, version: string): string {
  return `${module}@${version}`;
}

/** What is known of one; `undefined` where that was not asked. */
export function artifactOf(artifacts: Artifacts, module: string, version: string): Artifact | undefined {
  return artifacts.kind === "asked" ? artifacts.found.get(artifactKey(module, version)) : undefined;
}
