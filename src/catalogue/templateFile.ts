import type { Finding, Severity } from "../document/finding.ts";
import {
  CHANNEL_NAME_RULE,
  MODULE_NAME_RULE,
  parseChannelName,
  parseModuleName,
  type ChannelName,
  type ModuleName,
} from "./names.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import { conform } from "./conform.ts";
import { textAt } from "../document/fields.ts";
import { templateComponent, MODULE_LABEL, VERSION_ANNOTATION, type ModuleTemplate, type Template } from "./template.ts";
import { parseVersion, VERSION_RULE, type ModuleVersion } from "./version.ts";
import { locate, type YamlFile } from "../document/yaml/read.ts";
import type { YamlPath } from "../document/yaml/tree.ts";

/** A template, if the file holds one, and what is wrong with it. */
export interface TemplateReading {
  readonly template: Template | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads `channels/<channel>/<module>.yaml`.
 *
 * Errors are what would make the file ambiguous or unservable. What lifecycle-manager up to 1.7 reads in a second place
 * (annotation, descriptor) and does not agree is a warning: so an edit of `spec.version` alone can be tried out.
 */
export function readChannelTemplate(file: YamlFile, channelText: string, moduleText: string): TemplateReading {
  const judge = new Judge(file);
  const module = judge.moduleName(moduleText);
  const channel = judge.channelName(channelText);
  const object = judge.moduleTemplate();
  if (module === undefined || channel === undefined) return judge.nothing();
  judge.same(["metadata", "name"], `${module}-${channel}`, "place-name");
  judge.same(["spec", "channel"], channel, "place-channel");
  judge.module(module);
  return object === undefined ? judge.nothing() : judge.template(object, module, channel, judge.version(object));
}

/** Reads `modules/<module>/<version>/template.yaml`: named `<module>-<version>`, and in no channel. */
export function readVersionTemplate(file: YamlFile, moduleText: string, versionText: string): TemplateReading {
  const judge = new Judge(file);
  const module = judge.moduleName(moduleText);
  const object = judge.moduleTemplate();
  if (module === undefined) return judge.nothing();
  judge.same(["metadata", "name"], `${module}-${versionText}`, "place-name");
  judge.same(["spec", "version"], versionText, "place-version");
  judge.absent(["spec", "channel"], "place-channel", "The template of a version must not name a channel.");
  judge.module(module);
  return object === undefined ? judge.nothing() : judge.template(object, module, undefined, judge.version(object));
}

/** Judges one file; collects findings. */
class Judge {
  readonly #file: YamlFile;
  readonly #findings: Finding[] = [];

  constructor(file: YamlFile) {
    this.#file = file;
  }

  at(path: YamlPath, rule: string, message: string, remedy: string, severity: Severity = "error"): void {
    this.#findings.push({ rule, severity, file: this.#file.path, ...locate(this.#file, path), message, remedy });
  }

  moduleName(text: string): ModuleName | undefined {
    const name = parseModuleName(text);
    if (name === undefined) this.at([], "module-name", `${text} is not a module name.`, `Use ${MODULE_NAME_RULE}.`);
    return name;
  }

  channelName(text: string): ChannelName | undefined {
    const name = parseChannelName(text);
    if (name === undefined) this.at([], "channel-name", `${text} is not a channel name.`, `Use ${CHANNEL_NAME_RULE}.`);
    return name;
  }

  moduleTemplate(): ModuleTemplate | undefined {
    const reading = conform("moduleTemplate", this.#file);
    for (const finding of reading.findings) this.#findings.push(finding);
    return reading.value;
  }

  module(module: ModuleName): void {
    this.same(["spec", "moduleName"], module, "place-module");
    this.same(["metadata", "labels", MODULE_LABEL], module, "place-module");
  }

  version(object: ModuleTemplate): ModuleVersion | undefined {
    const text = object.spec.version ?? "";
    const version = parseVersion(text);
    if (version === undefined) {
      const message = text === "" ? "spec.version is missing." : `${text} is not a module version.`;
      this.at(["spec", "version"], "template-version", message, `Use ${VERSION_RULE}.`);
    } else this.#agree(object, version);
    return version;
  }

  /** Older lifecycle-managers read the version from here, so an edit of `spec.version` alone is an error. */
  #agree(object: ModuleTemplate, version: ModuleVersion): void {
    const copies: readonly [YamlPath, string | undefined][] = [
      [["metadata", "annotations", VERSION_ANNOTATION], object.metadata.annotations?.[VERSION_ANNOTATION]],
      [["spec", "descriptor", "component", "version"], templateComponent(object).version],
    ];
    for (const [path, copy] of copies) {
      if (copy === undefined || copy === version) continue;
      const message = `spec.version is ${version}, but ${path.join(".")} is ${copy}.`;
      this.at(path, "template-version-copy", message, `Write ${version} here, too.`, "warning");
    }
  }

  /** Also reported for a file that violates the schema, unless it is of another kind. */
  same(path: readonly string[], wanted: string, rule: string): void {
    const found = textAt(this.#file.value, path);
    if (found === wanted || !this.#isTemplate()) return;
    const message = `${path.join(".")} is ${found ?? "missing"}, but the place of the file says ${wanted}.`;
    this.at(path, rule, message, `Write ${wanted}, or move the file.`);
  }

  absent(path: readonly string[], rule: string, message: string): void {
    if (textAt(this.#file.value, path) !== undefined && this.#isTemplate())
      this.at(path, rule, message, `Remove ${path.join(".")}.`);
  }

  #isTemplate(): boolean {
    return textAt(this.#file.value, ["kind"]) === RESOURCES.moduleTemplate.kind;
  }

  template(
    object: ModuleTemplate,
    module: ModuleName,
    channel: ChannelName | undefined,
    version: ModuleVersion | undefined,
  ): TemplateReading {
    if (version === undefined || this.#findings.some(({ severity }) => severity === "error")) return this.nothing();
    return { template: { module, version, channel, file: this.#file, object }, findings: this.#findings };
  }

  nothing(): TemplateReading {
    return { template: undefined, findings: this.#findings };
  }
}
