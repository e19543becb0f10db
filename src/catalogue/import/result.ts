import type { KubernetesObject } from "../../kubernetes/object.ts";
import type { Finding } from "../../document/finding.ts";
import type { ChannelName, ModuleName } from "../names.ts";
import type { ModuleVersion } from "../version.ts";

/** One thing that is to be imported: a file with any number of YAML documents, or an object of a control plane. */
export type ImportInput =
  | {
      readonly kind: "file";
      /** Its path, as people named it. */
      readonly name: string;
      readonly content: Uint8Array;
      /** When it was last changed, Unix milliseconds; `undefined` when unknown. */
      readonly changedMs?: number | undefined;
    }
  | { readonly kind: "object"; readonly name: string; readonly object: KubernetesObject };

/** How an import decides. */
export interface ImportOptions {
  /** Takes the newest of different contents for one place, instead of none. */
  readonly preferNewest: boolean;
  /** The kubeconfig context that objects come from, if they do; a new `kyma-modules.yaml` names it. */
  readonly context: string | undefined;
  /** When the files of the repository were last changed, Unix milliseconds; only needed to prefer the newest. */
  readonly changedMs: ReadonlyMap<string, number>;
}

/** What an import does: everything to write, and everything that is not taken, with the reason. */
export interface Import {
  /** In the order in which they are to be written: what others need comes first. */
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
  /** Whose text it is. */
  readonly from: string;
  /** The ModuleReleaseMetas that put it there. */
  readonly releasedBy: readonly string[];
  /** Other templates for this place with an equal spec. */
  readonly merged: readonly Merged[];
  /** In what the text is not that of `from`. */
  readonly edits: readonly EditReport[];
  /** Whether it takes the place of another content. */
  readonly replaces: boolean;
}

/** A file that no input holds and that a catalogue needs. */
export interface MadeFile {
  readonly kind: "made";
  readonly path: string;
  readonly text: string;
  /** What it says, and on what grounds. */
  readonly because: string;
}

/** An input with an equal spec, and the labels and annotations in which it is not the one that is taken. */
export interface Merged {
  readonly source: string;
  readonly differs: readonly string[];
}

/** One edit of an input's text, for people. */
export interface EditReport {
  readonly kind: "filled" | "changed" | "removed";
  /** As `spec.version`. */
  readonly field: string;
  readonly was: string | undefined;
  readonly value: string | undefined;
  /** Where the value is from, or why it was changed. */
  readonly because: string;
}

/**
 * Why something is left out.
 *
 * - `kind`: nothing that a catalogue holds; `unreadable`: no YAML, or YAML that is read in two ways;
 * - `deleting`: on its way out of the control plane; `invalid`: lifecycle-manager's schema refuses it;
 * - `module`, `name`, `version`: missing, not allowed, or not what its channel asks for;
 * - `conflict`: there are different contents for one place or one version; `older`: a newer one is taken;
 * - `mandatory`: the module would be mandatory and not; `absent`: nobody has the version that a release meta names.
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

/** Something that is not taken. */
export interface SkippedInput {
  /** The input, with the line of the document where it holds several. */
  readonly source: string;
  readonly reason: LeftOutReason;
  /** What is the matter, in sentences. */
  readonly message: string;
  /** The place that it was meant for, if that is known. */
  readonly path: string | undefined;
  /** The single problems, with their lines; empty where the message says it all. */
  readonly problems: readonly Finding[];
}
