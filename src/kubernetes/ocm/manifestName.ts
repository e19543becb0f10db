/** The most characters of a Manifest's name; lifecycle-manager cuts longer ones. */
const MOST = 62;

/**
 * The name of the Manifest of a module on a cluster, and whether its hash is cut off: then modules whose components begin
 * alike have one Manifest. `kyma`: the name of the Kyma. Source: lifecycle-manager 1.20.4, pkg/module/common/module.go.
 */
export function manifestName(
  kyma: string,
  component: string,
  module: string,
): { readonly name: string; readonly isHashed: boolean } {
  const whole = `${kyma}-${component.slice(component.lastIndexOf("/") + 1)}-`;
  const name = `${whole}${nameHash(component + module)}`.slice(0, MOST).replace(/-+$/, "");
  return { name, isHashed: name.length > whole.length };
}

/** FNV-1 with 32 bits. */
function nameHash(text: string): number {
  let hash = 2_166_136_261;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 16_777_619) ^ byte) >>> 0;
  return hash;
}
