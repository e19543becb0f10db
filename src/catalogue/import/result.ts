import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Finding } from "../../document/finding.ts";
import type { ChannelName, ModuleName } from "../names.ts";
import type { ModuleVersion } from "../version.ts";

/** One input of an import: a file with any number of YAML documents, or an object of a control plane. */
export type ImportInput =
  | {
      readonly kind: "file";
      /** Its path, as the user gave it. */
      readonly name: string;
      readonly content: Uint8Array;
      /** The time of its last change, in Unix milliseconds; `undefined` when unknown. */
      readonly changedMs?: number | undefined;
    }
  | { readonly kind: "object"; readonly name: string; readonly object: KubernetesObject };

/** The options of an import. */
export interface ImportOptions {
  /** Whether to take the newest of different contents for one place, instead of none. */
  readonly preferNewest: boolean;
  /** The kubeconfig context that objects come from, if any; a new `kyma-modules.yaml` uses it. */
  readonly context: string | undefined;
  /** The times of the last changes to the files of the repository, in Unix milliseconds; only for `preferNewest`. */
  readonly changedMs: ReadonlyMap<string, number>;
}

/** The result of an import: the files to write, and the inputs that are not taken, with the reasons. */
export interface Import {
  /** In the order in which to write them: files that others need come first. */
  readonly files: readonly ImportedFile[];
  /** Places that have this content already; nothing is written there. */
  readonly present: readonly { readonly path: string; readonly from: readonly string[] }[];
  /** In order of source. */
  readonly leftOut: readonly SkippedInput[];
}

/** One file to write. */
export type ImportedFile = ImportedTemplate | MadeFile;

/** A template that an import writes. */
export interface ImportedTemplate {
  readonly kind: "template";
  readonly path: string;
  readonly text: string;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  readonly channel: ChannelName | undefined;
  /** The input with the original text. */
  readonly from: string;
  /** The ModuleReleaseMetas that put it there. */
  readonly releasedBy: readonly string[];
  /** Other templates for this place with an equal spec. */
  readonly merged: readonly Merged[];
  /** The differences from the text of `from`. */
  readonly edits: readonly EditReport[];
  /** Whether it replaces other content. */
  readonly replaces: boolean;
}

/** A file that a catalogue needs and that is not in the input. */
export interface MadeFile {
  readonly kind: "made";
  readonly path: string;
  readonly text: string;
  /** A summary of its content, with the source. */
  readonly because: string;
}

/** An input with an equal spec, and the labels and annotations in which it differs from the one that is taken. */
interface Merged {
  readonly source: string;
  readonly differs: readonly string[];
}

/** One edit of an input's text, for display. */
export interface EditReport {
  readonly kind: "filled" | "changed" | "removed";
  /** Such as `spec.version`. */
  readonly field: string;
  readonly was: string | undefined;
  readonly value: string | undefined;
  /** The source of the value, or the reason for the change. */
  readonly because: string;
}

/**
 * Why something is left out.
 *
 * - `kind`: of an unsupported kind; `unreadable`: not YAML, or ambiguous YAML;
 * - `deleting`: being deleted from the control plane; `invalid`: lifecycle-manager's schema refuses it;
 * - `module`, `name`, `version`: missing, not allowed, or not as its channel demands;
 * - `conflict`: there are different contents for one place or one version; `older`: a newer one is taken;
 * - `mandatory`: the module would be both mandatory and not; `absent`: the version that a release meta names is missing.
 */
export type LeftOutReason =
  | "kind"
  | "unreadable"
  | "deleting"
  | "invalid"
  | "module"
  | "name"
  | "version"
  | "conflict"
  | "older"
  | "mandatory"
  | "absent";

/** An input, or a part of it, that is not taken. */
export interface SkippedInput {
  /** The input, with the line of the document when it holds several. */
  readonly source: string;
  readonly reason: LeftOutReason;
  /** The explanation, in sentences. */
  readonly message: string;
  /** The place that it was meant for, if known. */
  readonly path: string | undefined;
  /** The single problems, with their lines; empty when the message is enough. */
  readonly problems: readonly Finding[];
}
