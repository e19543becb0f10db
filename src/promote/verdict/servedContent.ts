import type { SnapshotFile } from "../../catalogue/snapshot.ts";
import { specHash, type Template } from "../../catalogue/template.ts";
import { readChannelTemplate } from "../../catalogue/templateFile.ts";
import { parseVersion, type ModuleVersion } from "../../catalogue/version.ts";
import { readYaml } from "../../catalogue/yaml.ts";
import { shapeOf, type Shape } from "./shape.ts";

/** A content that a channel could serve. */
export interface ServedContent {
  readonly version: ModuleVersion;
  /** `specHash` of it. Worked out when it is asked for. */
  readonly hash: () => string;
}

/**
 * Reads the contents that one channel file had, one after the other, as `readYaml` and `readChannelTemplate` would.
 *
 * Nearly all of them differ in numbers of versions and in digests only, so it is enough to read one of each shape: that
 * takes a tenth of the time. Two contents of one shape (see `shapeOf`) are both templates or both none, and the one's
 * version is where the other's is.
 */
export class ServedContentReader {
  readonly #channel: string;
  readonly #module: string;
  readonly #known = new Map<string, Known>();

  constructor(channel: string, module: string) {
    this.#channel = channel;
    this.#module = module;
  }

  /** What `content` would serve; `undefined` when it is broken: then nothing takes notice of it. */
  read(path: string, content: SnapshotFile): ServedContent | undefined {
    const shape = content.kind === "bytes" ? shapeOf(content.bytes) : undefined;
    const version =
      shape === undefined ? this.#template(path, content)?.version : this.#versionIn(shape, path, content);
    let hash: string | undefined;
    return version && { version, hash: () => (hash ??= this.#hash(path, content)) };
  }

  #versionIn(shape: Shape, path: string, content: SnapshotFile): ModuleVersion | undefined {
    const known = this.#known.get(shape.pattern) ?? { version: this.#template(path, content)?.version, shape };
    this.#known.set(shape.pattern, known);
    return known.version && renamed(known.version, known.shape, shape);
  }

  #template(path: string, content: SnapshotFile): Template | undefined {
    const reading = readYaml(path, content);
    if (reading.kind === "refused") return undefined;
    return readChannelTemplate(reading.file, this.#channel, this.#module).template;
  }

  #hash(path: string, content: SnapshotFile): string {
    return [this.#template(path, content)]
      .filter((template) => template !== undefined)
      .map(({ object }) => specHash(object))
      .join("");
  }
}

interface Known {
  /** `undefined` when contents of this shape are broken. */
  readonly version: ModuleVersion | undefined;
  readonly shape: Shape;
}

/** What stands in a content of shape `to` where one of shape `from` has `version`. */
function renamed(version: ModuleVersion, from: Shape, to: Shape): ModuleVersion | undefined {
  return parseVersion(version.replace(/^[0-9.]+/, (number) => String(to.words[from.words.indexOf(number)])));
}
