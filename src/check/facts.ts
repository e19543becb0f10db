import type { Inputs } from "../catalogue/inputs.ts";
import type { Manifest, ManifestObject } from "../kubernetes/manifest.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import type { ServedStates } from "../catalogue/history/history.ts";
import type { SnapshotFile } from "../document/snapshot.ts";
import type { Template } from "../catalogue/template.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import type { SchemaChange } from "../kubernetes/crd/compare.ts";
import type { StatusCause, ValidationVerdict } from "../kubernetes/validation.ts";
import type { VersionSubject } from "./subject.ts";

/** Something that had to be asked for: the answer, or why there is none. */
export type Fact<T> =
  | { readonly kind: "known"; readonly value: T }
  /** `why`: half a sentence without a capital and without a full stop. */
  | { readonly kind: "unknown"; readonly why: string };

/** What the files at head and base do not say themselves. Gathered before any rule is held against anything. */
export interface Facts {
  /** What the channels served of each judged module, newest first, by the first-parent history of the base. */
  readonly history: Fact<ReadonlyMap<ModuleName, ServedStates>>;
  /** Of the steps that promotion is asked about (`questionAbout`): those that are not yet, by what was merged up to the base. */
  readonly unearned: Fact<readonly Unearned[]>;
  /** What the repository holds of the builds of versions. Keys: `versionKey`. */
  readonly inputs: ReadonlyMap<string, Inputs>;
  /** The same of the versions that the base serves, as the base has it. Keys: `versionKey`. */
  readonly servedInputs: ReadonlyMap<string, Inputs>;
  /** What a version installs. Keys: `versionKey`. */
  readonly manifests: ReadonlyMap<string, Fact<Manifest>>;
  /** What Kubernetes says of the CustomResourceDefinitions and the default CR of a version. Keys: `versionKey`. */
  readonly customResources: ReadonlyMap<string, Fact<CustomResources>>;
  /** The component version as the registry has it; `undefined` when it has none. Keys: `versionKey`. */
  readonly components: ReadonlyMap<string, Fact<PublishedComponent | CorruptComponent | undefined>>;
  /** The digest that the registry has for an image; `undefined` when it has none. Keys: references as written. */
  readonly images: ReadonlyMap<string, Fact<string | undefined>>;
  /** Whether the source repository has a tag for a version. Keys: `versionKey`. */
  readonly releases: ReadonlyMap<string, Fact<boolean>>;
  /** What the API server of `--server` says of the objects of a version. Keys: `versionKey`. */
  readonly server: ReadonlyMap<string, Fact<readonly ServerVerdict[]>>;
  /** `.github/CODEOWNERS`; `undefined` when there is none. */
  readonly codeowners: string | undefined;
  /** `.github/teams.yaml`, as the change leaves it; `undefined` when there is none. */
  readonly teamsFile: SnapshotFile | undefined;
  readonly people: People;
}

/** A version that no promotion would bring into a following channel yet. */
export interface Unearned {
  readonly channel: ChannelName;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** What is missing, or who is against it, as full sentences. */
  readonly why: string;
  /** Says what to do; full sentences. */
  readonly remedy: string;
}

/** What Kubernetes' validation says of the custom resources of a version. */
export interface CustomResources {
  /** By index of the manifest's objects. */
  readonly definitions: ReadonlyMap<number, ValidationVerdict>;
  /** The default CR, by the definition of its own manifest; `undefined` when the template has none. */
  readonly defaultCr: ValidationVerdict | "no-definition" | undefined;
  readonly samples: readonly JudgedSample[];
  /** Against each version in service whose objects this one meets: those of its own channels, and older ones. */
  readonly against: readonly ServedComparison[];
}

/** An object of `samples/`, by the definition of its own version. */
export interface JudgedSample {
  readonly object: ManifestObject;
  readonly verdict: ValidationVerdict | { readonly kind: "no-definition" };
}

/** A version compared with one that is in service. */
export interface ServedComparison {
  readonly served: VersionSubject;
  /** The definitions that differ, or are gone. */
  readonly definitions: readonly DefinitionComparison[];
  /** Its default CR, by the judged version's definition; `undefined` where that is no other, or refused it before. */
  readonly defaultCr: ServedDefaultCr | undefined;
}

/** The default CR of a version in service, as the judged version's definition sees it. */
export interface ServedDefaultCr {
  /** The definition, by index of the judged manifest's objects. */
  readonly index: number;
  /** Of the default CR. */
  readonly apiVersion: string;
  readonly verdict: ValidationVerdict;
}

/** What became of one definition. */
export interface DefinitionComparison {
  /** By index of the judged manifest's objects; -1 when the judged manifest no longer has it. */
  readonly index: number;
  /** `certificates.operator.kyma-project.io`. */
  readonly name: string;
  /** Without those that the channels of the judged version went through before: they are in service already. */
  readonly changes: readonly ConfirmedChange[];
}

/** A change, and what Kubernetes' validation made of its counterexample. */
export interface ConfirmedChange extends SchemaChange {
  /**
   * `confirmed`: `object` was accepted and is refused, for `causes`, of which one is about the field, or it loses what is
   * missing in `became`; `refuted`: objects with it were accepted before and after, and none was refused; `open`: none
   * was accepted before, or it was not evaluated, or refused for another change.
   */
  readonly confirmation: "confirmed" | "refuted" | "open";
  readonly object?: unknown;
  /** What `object` was to take the place of; `undefined` where it was to be created. */
  readonly from?: unknown;
  /** What is read of `object` after it was stored; `undefined` where it is refused. */
  readonly became?: unknown;
  /** What becomes of a change of `object` where it is stored already; `undefined` where that is unknown. */
  readonly stored?: "accepted" | "refused";
  readonly causes?: readonly StatusCause[];
}

/** A component version in a registry. */
export interface PublishedComponent {
  readonly descriptor: unknown;
  /** The digest of its image manifest. */
  readonly digest: string;
  /** What it installs; not there when its descriptor does not name exactly one raw manifest in the same image. */
  readonly manifest?: Manifest;
}

/** What a registry has under the name of a component version, though lifecycle-manager cannot read it. */
export interface CorruptComponent {
  /** What is wrong with it, as full sentences. */
  readonly corrupt: string;
}

/** What an API server said of one object of a manifest. */
export interface ServerVerdict {
  /** By index of the manifest's objects; -1 for the default CR. */
  readonly index: number;
  readonly verdict: ValidationVerdict;
}

/** Who wants the change, as the forge says. */
export interface People {
  /** The login of the author; `undefined` when unknown. */
  readonly author: string | undefined;
  /** The logins that approved the head commit. */
  readonly approvedBy: readonly string[];
  /** Team (`@org/team`) to logins; a team that is not listed is not known. */
  readonly teams: ReadonlyMap<string, readonly string[]>;
}

/** The key of a version in the maps of `Facts`. */
export function versionKey({ module, version }: Pick<Template, "module" | "version">): string {
  return `${module} ${version}`;
}

/** What was not gathered yet. */
export const NOT_GATHERED: Fact<never> = { kind: "unknown", why: "the fact was not gathered" };

/** The fact under `key`; one that was not gathered is unknown. */
export function factOf<T>(facts: ReadonlyMap<string, Fact<T>>, key: string): Fact<T> {
  return facts.get(key) ?? NOT_GATHERED;
}
