import type { Context } from "../../../../src/check/context.ts";
import { bumpTemplate, manifestText, type ExampleFiles, type ExampleOutside } from "../../../../src/check/example.ts";
import type { Fact } from "../../../../src/check/facts.ts";
import type { CorruptComponent, PublishedComponent } from "../../../../src/reading/manifest.ts";
import { contextOf } from "../../contexts.ts";

/** The bump with this as its descriptor. */
export function embedding(descriptor: unknown): ExampleFiles {
  return bumpTemplate("descriptor: {}", `descriptor: ${JSON.stringify(descriptor)}`);
}

/** The registry with this as the descriptor of the bump, and with its manifest. */
export function publishing(descriptor: unknown): ExampleOutside {
  return {
    components: {
      "sample 1.2.0": { descriptor, digest: "sha256:0c", rawManifest: Buffer.from(manifestText("1.2.0")) },
    },
  };
}

/** A context in which a component version is this. */
export async function withComponent(
  change: ExampleFiles,
  value: PublishedComponent | CorruptComponent | undefined,
): Promise<Context> {
  const context = await contextOf({ change });
  const components = new Map<string, Fact<PublishedComponent | CorruptComponent | undefined>>([
    ["sample 1.2.0", { kind: "known", value }],
  ]);
  return { ...context, facts: { ...context.facts, components } };
}

/** What is said, without the place. */
export function messages(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/^\S+:\d+ /, ""));
}
