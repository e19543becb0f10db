import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampleTemplate } from "./sampleTemplate.ts";

/** The channels of a sample catalogue; each serves every module, in a version of its own. */
const CHANNELS = ["experimental", "fast", "rapid", "regular", "stable"] as const;

/** The landscape that serves all of them. */
export const SAMPLE_LANDSCAPE = "bench";

/** Writes a valid catalogue of `modules` × 5 channel files to `folder`, and the policies of the channels. */
export function writeSampleCatalogue(folder: string, modules: number): void {
  for (const [minor, channel] of CHANNELS.entries()) {
    const channelFolder = join(folder, "channels", channel);
    mkdirSync(channelFolder, { recursive: true });
    writeFileSync(`${channelFolder}.yaml`, `format: 1\nlandscapes: [${SAMPLE_LANDSCAPE}]\n`);
    for (let index = 0; index < modules; index++) {
      const module = `sample-${letters(index)}`;
      const version = `1.${minor}.${index % 97}`;
      writeFileSync(join(channelFolder, `${module}.yaml`), sampleTemplate({ module, channel, version }));
    }
  }
  writeSampleSettings(folder, "kubeconfig", "kcp-system");
}

/** Writes `kyma-modules.yaml`: one landscape, behind that kubeconfig, in that namespace. */
export function writeSampleSettings(folder: string, kubeconfig: string, namespace: string): void {
  const settings = `format: 1
landscapes:
  - name: ${SAMPLE_LANDSCAPE}
    controlPlane: { kubeconfig: ${JSON.stringify(kubeconfig)} }
    namespace: ${namespace}
    lifecycleManager: version-templates
`;
  writeFileSync(join(folder, "kyma-modules.yaml"), settings);
}

/** Names of modules hold no digits: 0 → `aaaa`, 1 → `aaab`. */
export function letters(index: number): string {
  const letter = (place: number): string => String.fromCharCode(97 + (Math.floor(index / 26 ** place) % 26));
  return letter(3) + letter(2) + letter(1) + letter(0);
}
