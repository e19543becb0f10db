import type { Catalogue, Channel, Module } from "./catalogue.ts";
import { judgeCatalogue } from "./consistency.ts";
import type { Draft, HoldsFile, HotfixesFile, ModuleFile, PolicyFile, Read } from "./draft.ts";
import { FILE_START, sortFindings, type Finding } from "../document/finding.ts";
import {
  CHANNEL_NAME_RULE,
  MODULE_NAME_RULE,
  parseChannelName,
  parseModuleName,
  type ChannelName,
  type ModuleName,
} from "./names.ts";
import { oncePerWith } from "../document/once.ts";
import { compareText } from "../document/order.ts";
import { cataloguePlace, SETTINGS_PATH, type Place } from "./paths.ts";
import { conform, type Conforming } from "./conform.ts";
import { readSettings, type Settings } from "./settings.ts";
import { judgeLink, type SnapshotFile } from "../document/snapshot.ts";
import type { Template } from "./template.ts";
import { readChannelTemplate, readVersionTemplate, type TemplateReading } from "./templateFile.ts";
import { readYaml, type YamlFile } from "../document/yaml/read.ts";

/** The result of reading a repository: a catalogue, or all problems. Findings are sorted. */
export type Parsing =
  | { readonly kind: "catalogue"; readonly catalogue: Catalogue }
  | {
      readonly kind: "refused";
      readonly findings: readonly Finding[];
      /** The readable part. Use it only to find more problems. */
      readonly readable: Catalogue;
    };

/**
 * Reads the files of a repository. Reports every problem of every file, not the first.
 *
 * Takes:  `files`, path to content, as `Source.snapshot` gives them.
 * Gives:  a catalogue when no finding is an error, but for contradictions between whole files, which withhold their
 *         module only. Never throws.
 */
export function parse(revision: string | undefined, files: ReadonlyMap<string, SnapshotFile>): Parsing {
  const reader = new Reader();
  for (const [path, content] of [...files].sort(([a], [b]) => compareText(a, b))) reader.read(path, content);
  const draft = reader.draft();
  const { fatal, findings, withheld } = judgeCatalogue(draft);
  const all = sortFindings([...reader.findings, ...fatal, ...findings]);
  const broken = fatal.length > 0 || reader.findings.some(({ severity }) => severity === "error");
  const settings = readSettings(draft.settings?.value ?? { landscapes: [] });
  const composed = compose(settings, draft);
  const catalogue = { revision, findings: all, withheld, withheldChannels: orphansIn(draft), ...composed };
  if (broken || draft.settings === undefined) return { kind: "refused", findings: all, readable: catalogue };
  return { kind: "catalogue", catalogue };
}

/** The modules with a file in a channel whose policy was not read, by channel. */
function orphansIn({ templates, policies }: Draft): Catalogue["withheldChannels"] {
  const lost = templates.flatMap(({ channel, module }) =>
    channel === undefined || policies.has(channel) ? [] : [{ channel, module }],
  );
  const byChannel = Map.groupBy(lost, ({ channel }) => channel);
  return new Map([...byChannel].map(([channel, own]) => [channel, new Set(own.map(({ module }) => module))]));
}

function compose(settings: Settings, draft: Draft): Pick<Catalogue, "settings" | "channels" | "modules"> {
  const served = Map.groupBy(draft.templates, ({ channel }) => channel);
  const channels = [...draft.policies].map(([name, { file, value }]): [ChannelName, Channel] => {
    const templates = new Map((served.get(name) ?? []).map((template) => [template.module, template]));
    const { kind = "release", follows, landscapes, versions = "release", promotion = {} } = value;
    return [name, { name, kind, follows, landscapes, versions, promotion, templates, file }];
  });
  const names = new Set([draft.modules, draft.holds, draft.hotfixes].flatMap((files) => [...files.keys()]));
  for (const { module } of draft.templates) names.add(module);
  const versions = Map.groupBy(served.get(undefined) ?? [], ({ module }) => module);
  const modules = [...names].sort(compareText).map((name): [ModuleName, Module] => {
    return [name, composeModule(name, draft, versions.get(name) ?? [])];
  });
  return { settings, channels: new Map(channels), modules: new Map(modules) };
}

const NOTHING_SAID: ModuleFile = {};

function composeModule(name: ModuleName, { modules, holds, hotfixes }: Draft, versions: readonly Template[]): Module {
  const says = modules.get(name) ?? { file: undefined, value: NOTHING_SAID };
  const held = holds.get(name) ?? { file: undefined, value: { holds: [] } };
  const fixed = hotfixes.get(name) ?? { file: undefined, value: { hotfixes: [] } };
  const { ocmComponentName, owners = [] } = says.value;
  return {
    name,
    ocmComponentName,
    owners,
    says: says.value,
    holds: held.value.holds,
    hotfixes: fixed.value.hotfixes,
    templates: new Map(versions.map((template) => [template.version, template])),
    files: { module: says.file, holds: held.file, hotfixes: fixed.file },
  };
}

// A commit shares most files with the one before: what is the same object is read once.
const readFile = oncePerWith(
  (content: SnapshotFile, path: string) => readYaml(path, content),
  (path) => path,
);
const readOfChannel = oncePerWith(readChannelTemplate, (channel, module) => `${channel}/${module}`);
const readOfVersion = oncePerWith(readVersionTemplate, (module, version) => `${module}/${version}`);

/** Reads file after file, each by itself. */
class Reader {
  readonly findings: Finding[] = [];
  #settings: Draft["settings"];
  readonly #policies = new Map<ChannelName, Read<PolicyFile>>();
  readonly #modules = new Map<ModuleName, Read<ModuleFile>>();
  readonly #holds = new Map<ModuleName, Read<HoldsFile>>();
  readonly #hotfixes = new Map<ModuleName, Read<HotfixesFile>>();
  readonly #templates: Template[] = [];
  readonly #channels = new Set<string>();
  #settingsSeen = false;

  read(path: string, content: SnapshotFile): void {
    const place = cataloguePlace(path);
    if (place === undefined) return;
    if (!path.isWellFormed()) {
      const remedy = "Rename it: file systems and programs that read UTF-8 find no such file.";
      this.#finding(path, "file-name", "The name of this file or of its folder is not UTF-8.", remedy);
      return;
    }
    if (place.kind === "settings") this.#settingsSeen = true;
    if (place.kind === "policy") this.#channels.add(place.channel);
    if (place.kind === "stray") {
      // A hold that nothing reads holds nothing.
      const severity = place.isDecision ? "error" : "warning";
      this.#finding(path, "stray-file", "Nothing reads this file.", place.remedy, severity);
      return;
    }
    if (place.kind === "folder") {
      if (content.kind === "bad-link")
        this.findings.push({ severity: "error", file: path, ...FILE_START, ...judgeLink(content.target) });
      return;
    }
    const reading = readFile(content, path);
    if (reading.kind === "refused") this.#add(reading.findings);
    else this.#readPlace(place, reading.file);
  }

  draft(): Draft {
    if (!this.#settingsSeen) {
      const remedy =
        "Make a new catalogue (kyma-modules init), or one of existing templates (kyma-modules import DIR).";
      this.#finding(
        SETTINGS_PATH,
        "settings-missing",
        `There is no ${SETTINGS_PATH}: this is not a catalogue.`,
        remedy,
      );
    }
    return {
      settings: this.#settings,
      policies: this.#policies,
      channels: this.#channels,
      modules: this.#modules,
      holds: this.#holds,
      hotfixes: this.#hotfixes,
      templates: this.#templates,
    };
  }

  #readPlace(place: Exclude<Place, { kind: "stray" | "folder" }>, file: YamlFile): void {
    switch (place.kind) {
      case "settings":
        this.#conform("settings", file, (value) => (this.#settings = { file, value }));
        break;
      case "policy":
        this.#conform("channel", file, (value) => {
          const name = parseChannelName(place.channel);
          if (name === undefined) {
            const message = `${place.channel} is not a channel name.`;
            this.#finding(file.path, "channel-name", message, `Rename the file: ${CHANNEL_NAME_RULE}.`);
          } else this.#policies.set(name, { file, value });
        });
        break;
      case "module":
        this.#ofModule("module", place.module, file, this.#modules);
        break;
      case "holds":
        this.#ofModule("holds", place.module, file, this.#holds);
        break;
      case "hotfixes":
        this.#ofModule("hotfixes", place.module, file, this.#hotfixes);
        break;
      case "channel-template":
        this.#template(readOfChannel(file, place.channel, place.module));
        break;
      case "version-template":
        this.#template(readOfVersion(file, place.module, place.version));
        break;
    }
  }

  /** Reads a file of the folder of `module` into `files`. */
  #ofModule<K extends "module" | "holds" | "hotfixes">(
    kind: K,
    module: string,
    file: YamlFile,
    files: Map<ModuleName, Read<Conforming[K]>>,
  ): void {
    this.#conform(kind, file, (value) => {
      const name = parseModuleName(module);
      if (name !== undefined) files.set(name, { file, value });
      else {
        const message = `${module} is not a module name.`;
        this.#finding(file.path, "module-name", message, `Rename the folder: ${MODULE_NAME_RULE}.`);
      }
    });
  }

  #template({ template, findings }: TemplateReading): void {
    this.#add(findings);
    if (template !== undefined) this.#templates.push(template);
  }

  #conform<K extends keyof Conforming>(kind: K, file: YamlFile, take: (value: Conforming[K]) => void): void {
    const { value, findings } = conform(kind, file);
    this.#add(findings);
    if (value !== undefined) take(value);
  }

  /** One by one: a call takes no hundred thousand arguments. */
  #add(findings: readonly Finding[]): void {
    for (const finding of findings) this.findings.push(finding);
  }

  #finding(file: string, rule: string, message: string, remedy: string, severity: Finding["severity"] = "error"): void {
    this.findings.push({ rule, severity, file, ...FILE_START, message, remedy });
  }
}
