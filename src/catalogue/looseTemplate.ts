import { conform } from "./conform.ts";
import type { Finding } from "../document/finding.ts";
import { removeServerFields } from "./import/fields.ts";
import { applyEdits } from "../document/yaml/edit.ts";
import { textAt } from "../document/fields.ts";
import { isRefusal } from "./import/leftOut.ts";
import { importedModuleName, importedVersion } from "./import/template.ts";
import { RESOURCES } from "../kubernetes/object.ts";
import { MODULE_NAME_RULE, parseModuleName, type ModuleName } from "./names.ts";
import type { SnapshotFile } from "../document/snapshot.ts";
import type { ModuleTemplate, Template } from "./template.ts";
import { VERSION_RULE } from "./version.ts";
import { locate, readYaml, type YamlFile } from "../document/yaml/read.ts";
import type { YamlPath } from "../document/yaml/tree.ts";
import { readYamlStream, type YamlStream } from "../document/yaml/stream.ts";

/** The templates of a file, and its findings. */
interface LooseReading {
  readonly templates: readonly Template[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the ModuleTemplates of a file outside a catalogue. Module and version come from the objects themselves, not from
 * a path. Objects of other kinds are skipped with a note. Never throws.
 */
export function readLooseFile(path: string, content: SnapshotFile): LooseReading {
  const { files, findings } = templateStream(path, content);
  const readings = files.map(readLooseTemplate);
  return {
    templates: readings.flatMap(({ templates }) => templates),
    findings: [...findings, ...readings.flatMap((reading) => reading.findings)],
  };
}

/** The documents of a file, and its findings. One document alone is read as any other file, to get the same findings. */
function templateStream(path: string, content: SnapshotFile): YamlStream {
  const whole = readYaml(path, content);
  if (whole.kind === "read") return { files: [whole.file], findings: [] };
  return content.kind === "bytes" ? readYamlStream(path, content.bytes) : { files: [], findings: whole.findings };
}

function readLooseTemplate(file: YamlFile): LooseReading {
  const kind = textAt(file.value, ["kind"]);
  if (kind !== RESOURCES.moduleTemplate.kind) {
    const message = `This is not a ModuleTemplate${kind === undefined ? "" : `, but a ${kind}`}: it is not checked.`;
    return nothing(file, [], {
      rule: "stray-file",
      message,
      remedy: "Name files of ModuleTemplates.",
      severity: "note",
    });
  }
  // Fields that a control plane sets do no harm in a file that is not applied unchanged.
  const { path, text, firstLine } = file;
  const value = applyEdits(file.value, removeServerFields(file.value));
  const { value: object, findings } = conform("moduleTemplate", { path, text, value, firstLine });
  return object === undefined ? { templates: [], findings } : looseTemplate(file, object);
}

function looseTemplate(file: YamlFile, object: ModuleTemplate): LooseReading {
  const version = importedVersion(object);
  if (isRefusal(version))
    return nothing(file, ["spec", "version"], {
      rule: "template-version",
      message: version.message,
      remedy: `Write spec.version: ${VERSION_RULE}.`,
    });
  const module = importedModuleName(object);
  const name = isRefusal(module) ? moduleInName(object, version.name) : module.name;
  if (name === undefined)
    return nothing(file, ["spec", "moduleName"], {
      rule: "module-name",
      message: "It names no module, neither in spec.moduleName, nor in the label, nor in its own name.",
      remedy: `Write spec.moduleName: ${MODULE_NAME_RULE}.`,
    });
  return { templates: [{ module: name, version: version.name, channel: undefined, file, object }], findings: [] };
}

/** The module from a name such as `istio-fast` or `istio-1.2.0`. */
function moduleInName({ metadata: { name }, spec }: ModuleTemplate, version: string): ModuleName | undefined {
  const suffix = [version, spec.channel ?? version].map((end) => `-${end}`).find((end) => name.endsWith(end));
  return suffix === undefined ? undefined : parseModuleName(name.slice(0, -suffix.length));
}

type LooseComplaint = Pick<Finding, "rule" | "message" | "remedy"> & Partial<Pick<Finding, "severity">>;

function nothing(file: YamlFile, path: YamlPath, complaint: LooseComplaint): LooseReading {
  return { templates: [], findings: [{ severity: "error", file: file.path, ...locate(file, path), ...complaint }] };
}
