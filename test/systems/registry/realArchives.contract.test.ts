import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BUMP, FAST } from "../../../src/check/example.ts";
import type { CorruptComponent, PublishedComponent } from "../../../src/reading/manifest.ts";
import { descriptorInstallable } from "../../../src/check/rules/descriptor/installable.ts";
import { descriptorPublished } from "../../../src/check/rules/descriptor/published.ts";
import { descriptorStructure } from "../../../src/check/rules/descriptor/structure.ts";
import { judge } from "../../../src/check/check.ts";
import { readManifest } from "../../../src/kubernetes/manifest.ts";
import { whyNotInstallable } from "../../../src/kubernetes/ocm/installable.ts";
import { Fault } from "../../../src/ports.ts";
import { openRegistry } from "../../../src/systems/registry/registry.ts";
import { withComponent } from "../../check/rules/descriptor/embedding.ts";
import { describeUnless } from "../../support/describeUnless.ts";
import { mentions } from "../../support/mentions.ts";
import { digestOf, tarOf } from "../../support/ociFixture.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";
import { LIMITS, startServer } from "../webServer.ts";

const FOLDER = join(import.meta.dirname, "../../../../shared/supply-data/descriptors");
const missing = existsSync(FOLDER) ? undefined : "there is no ../shared/supply-data beside this repository";
const NAME = "kyma-project.io/module/message-broker";
/** The digest of the raw manifest in the descriptors. It is not in the data, so that another one stands for it. */
const DIGEST = "sha256:5f083d787beacea56983386d6dbbc1d906928489c4c20639d6f1996e956656d3";
const YAML = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: sample\n";

/** The rule that reports an archive, and words of its message; "passes" if lifecycle-manager installs it. */
const VERDICTS: Readonly<Record<string, "passes" | readonly [rule: string, ...words: string[]]>> = {
  "badversion.tar": "passes",
  "big.tar": ["descriptor-published", "124856 bytes", "lifecycle-manager", "102400"],
  "chunked.tar": ["descriptor-installable", "component.resources.2.access.localReference", "one layer"],
  "configlayer.tar": "passes",
  "ctfcontext.tar": "passes",
  "digestmapping.tar": ["descriptor-installable", "component.repositoryContexts.0.componentNameMapping", "urlPath"],
  "github.tar": ["descriptor-installable", "component.resources.3.access.type", "gitHub"],
  "good.tar": "passes",
  "helm.tar": ["descriptor-installable", "component.resources.3.access.type", "helm"],
  "json.tar": ["descriptor-published", "JSON", "tar", "component-descriptor.yaml", "ocm program"],
  "jsonintar.tar": "passes",
  "localociblob.tar": "passes",
  "missingcontext.tar": ["descriptor-structure", "property repositoryContexts"],
  "nocontext.tar": ["descriptor-installable", "component.repositoryContexts", "no layer"],
  "nomapping.tar": "passes",
  "noneaccess.tar": ["descriptor-installable", "component.resources.3.access.type", "None"],
  "norefs.tar": ["descriptor-structure", "property componentReferences"],
  "nosources.tar": ["descriptor-structure", "property sources"],
  "npm.tar": ["descriptor-published", "n is a boolean in YAML 1.1", "quotes"],
  "nullcontext.tar": ["descriptor-installable", "component.repositoryContexts", "no layer"],
  "ociimage.tar": ["descriptor-installable", "component.resources.3.access.type", "ociImage"],
  "ociregistrylower.tar": "passes",
  "ociregistryv1.tar": "passes",
  "relativeoci.tar": ["descriptor-published", "n is a boolean in YAML 1.1", "quotes"],
  "slash.tar": ["descriptor-published", "component-descriptor.yaml", "/component-descriptor.yaml"],
  "tworaw.tar": ["descriptor-published", "y is a boolean in YAML 1.1", "quotes"],
  "unknownaccess.tar": ["descriptor-installable", "component.resources.3.access.type", "other"],
  "unknowncontext.tar": ["descriptor-published", "y is a boolean in YAML 1.1", "quotes"],
  "unknownfield.tar": "passes",
  "unsignedprovider.tar": ["descriptor-structure", "component.provider", "text"],
  "v3asv2.tar": ["descriptor-structure", "meta.schemaVersion"],
  "vversion.tar": "passes",
  "xtar.tar": "passes",
  "xtgz.tar": ["descriptor-installable", "component.resources.2.access.mediaType", "application/x-tar"],
};

/** Descriptors that lifecycle-manager reads, but whose layer it cannot fetch, or not read. */
const READ_IN_VAIN = ["chunked.tar", "digestmapping.tar", "xtgz.tar"];

/** The component version with this descriptor layer, as our registry client and the gate see it. */
async function published(layer: Buffer, manifest: Buffer): Promise<PublishedComponent | CorruptComponent> {
  const config = JSON.stringify({ componentDescriptorLayer: { digest: digestOf(layer) } });
  const contents: readonly (Buffer | string)[] = [layer, manifest, config];
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const body = JSON.stringify({ schemaVersion: 2, mediaType, config: { digest: digestOf(config) }, layers: [] });
  const server = await startServer(({ path }) => {
    const blob = contents.find((content) => path.endsWith(digestOf(content)));
    const isManifest = path.endsWith("/manifests/2.1.3");
    if (isManifest) return { status: 200, headers: { "content-type": mediaType }, body };
    return blob === undefined ? { status: 404 } : { status: 200, body: blob };
  });
  const settings = { baseUrl: server.host, plainHttp: true };
  const registry = openRegistry(settings, { DOCKER_CONFIG: emptyFolder().path }, LIMITS);
  try {
    const found = await registry.component(server.host, NAME, "2.1.3", quietRun());
    if (found === undefined) throw new Error("the double has the version");
    const { descriptor, digest, rawManifest } = found;
    return { descriptor, digest, ...(rawManifest && { manifest: readManifest(NAME, false, rawManifest) }) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { corrupt: error.message };
  }
}

describeUnless(missing, "a component version that lifecycle-manager was given", () => {
  const answers = existsSync(FOLDER) ? readFileSync(join(FOLDER, "readcd.out"), "utf8").trim().split("\n") : [];
  const says = new Map(answers.map((line) => line.split(" | ") as [string, string]));

  it("is one of those whose verdict is known", () => {
    expect(readdirSync(join(FOLDER, "cds")).sort()).toEqual(Object.keys(VERDICTS).sort());
  });

  it.for(Object.entries(VERDICTS))("%s gets the verdict of lifecycle-manager", async ([name, verdict]) => {
    const content = name === "xtar.tar" ? await tarOf({ "manifest.yaml": YAML }) : Buffer.from(YAML);
    const archive = readFileSync(join(FOLDER, "cds", name)).toString("latin1");
    const component = await published(Buffer.from(archive.replaceAll(DIGEST, digestOf(content)), "latin1"), content);
    const rules = [descriptorStructure, descriptorInstallable, descriptorPublished];
    const change = { [FAST]: BUMP[FAST] };
    const { findings } = judge(rules, await withComponent(change, component));
    const [rule, ...words] = verdict === "passes" ? [] : verdict;

    expect(findings.map(({ rule: id, message, remedy }) => [id, `${message} ${remedy}`])).toEqual(
      rule === undefined ? [] : [[rule, mentions(...words)]],
    );
    const isRead = /^ok [1-9]/.test(says.get(name) ?? "") && !READ_IN_VAIN.includes(name);
    expect(isRead).toBe(verdict === "passes");
    if (!("corrupt" in component)) expect(whyNotInstallable(component.descriptor) === undefined).toBe(isRead);
  });
});
