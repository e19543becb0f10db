import type { Inputs } from "../catalogue/inputs.ts";
import type { Manifest, ManifestObject } from "../kubernetes/manifest.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import type { ServedStates } from "../catalogue/history/history.ts";
import type { ConvertedFiles, SnapshotFile } from "../document/snapshot.ts";
import type { ModuleVersion } from "../catalogue/version.ts";
import type { CorruptComponent, PublishedComponent } from "../reading/manifest.ts";
import type { SchemaChange } from "../kubernetes/crd/compare.ts";
import type { ValidationVerdict } from "../kubernetes/validation.ts";
import type { VersionSubject } from "./subject.ts";

/** A gathered fact, or why it is unknown. */
export type Fact<T> =
  | { readonly kind: "known"; readonly value: T }
  /** `why`: a clause in lower case, without a full stop. */
  | { readonly kind: "unknown"; readonly why: string };

/** Facts that rules need beyond the files of head and base. All are gathered before the first rule runs. */
export interface Facts {
  /** States that channels served of each judged module, newest first, from the first-parent history of the base. */
  readonly history: Fact<ReadonlyMap<ModuleName, ServedStates>>;
  /**
   * The steps that promotion would not make at the base, among those with a question to promotion (`questionAbout`).
   */
  readonly unearned: Fact<readonly Unearned[]>;
  /** The build inputs of the head's versions, and of versions of which the change touches one. Keys: `versionKey`. */
  readonly inputs: ReadonlyMap<string, Inputs>;
  /**
   * The build inputs of the versions that the base serves, and of those that the change touches and a channel ever
   * served, read from the base. Keys: `versionKey`.
   */
  readonly servedInputs: ReadonlyMap<string, Inputs>;
  /** The manifests of the head's versions. Keys: `versionKey`. */
  readonly manifests: ReadonlyMap<string, Fact<Manifest>>;
  /** The manifests of the versions that the base serves: those of the base, else those published. Keys: `versionKey`. */
  readonly servedManifests: ReadonlyMap<string, Fact<Manifest>>;
  /** Verdicts of Kubernetes' validation on the custom resources of versions. Keys: `versionKey`. */
  readonly customResources: ReadonlyMap<string, Fact<CustomResources>>;
  /** The component versions in the registry; `undefined` if there is none. Keys: `versionKey`. */
  readonly components: ReadonlyMap<string, Fact<PublishedComponent | CorruptComponent | undefined>>;
  /**
   * The digests of images in their registry; `undefined` if it does not have the image. Keys: references as written.
   */
  readonly images: ReadonlyMap<string, Fact<string | undefined>>;
  /** Whether the source repository has a tag for a version. Keys: `versionKey`. */
  readonly releases: ReadonlyMap<string, Fact<boolean>>;
  /** Verdicts of the API server of `--server` on the objects of versions. Keys: `versionKey`. */
  readonly server: ReadonlyMap<string, Fact<readonly ServerVerdict[]>>;
  /** `.github/CODEOWNERS`; `undefined` when there is none. */
  readonly codeowners: string | undefined;
  /** `.github/teams.yaml` with the change; `undefined` when there is none. */
  readonly teamsFile: SnapshotFile | undefined;
  /** The files of head and base that an attribute of Git converts. */
  readonly converted: ConvertedFiles;
  /** The fork point, if the head has it as a branch that it merged. */
  readonly aside: string | undefined;
  /** The folder of its repository in which the catalogue is, with "/" at the end; empty at the top. */
  readonly folder: string;
  readonly people: People;
}

/** A version that promotion would not bring into a following channel yet. */
export interface Unearned {
  readonly channel: ChannelName;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** Unmet conditions and objections, as full sentences. */
  readonly why: string;
  /** The remedy, as full sentences. */
  readonly remedy: string;
}

/** Verdicts of Kubernetes' validation on the custom resources of a version. */
export interface CustomResources {
  /** By index of the manifest's objects. */
  readonly definitions: ReadonlyMap<number, ValidationVerdict>;
  /** The default CR, validated by the definition in its own manifest; `undefined` if the template has none. */
  readonly defaultCr: ValidationVerdict | "no-definition" | undefined;
  readonly samples: readonly JudgedSample[];
  /** Comparisons with each version in service whose objects this version can meet (see `meets`). */
  readonly against: readonly ServedComparison[];
}

/** An object of `samples/`, validated by the definition of its own version. */
export interface JudgedSample {
  readonly object: ManifestObject;
  readonly verdict: ValidationVerdict | { readonly kind: "no-definition" };
}

/** A comparison with a version in service. */
export interface ServedComparison {
  readonly served: VersionSubject;
  /** The definitions that differ or are gone. */
  readonly definitions: readonly DefinitionComparison[];
  /**
   * Its default CR, validated by the judged version's definition; `undefined` if the definition is unchanged or the old
   * one refused it.
   */
  readonly defaultCr: ServedDefaultCr | undefined;
}

/** The verdict of the judged version's definition on the default CR of a version in service. */
export interface ServedDefaultCr {
  /** The definition, by index of the judged manifest's objects. */
  readonly index: number;
  /** Of the default CR. */
  readonly apiVersion: string;
  readonly verdict: ValidationVerdict;
}

/** The changes of one definition. */
export interface DefinitionComparison {
  /** By index of the judged manifest's objects; -1 if the judged manifest no longer has it. */
  readonly index: number;
  /** `certificates.operator.kyma-project.io`. */
  readonly name: string;
  /** Without changes that the channels of the judged version already went through, since these are in service. */
  readonly changes: readonly ConfirmedChange[];
}

/** A change, and the verdict of Kubernetes' validation on its counterexample. */
export interface ConfirmedChange extends SchemaChange {
  /**
   * - `confirmed`: `object` was accepted and is refused now, for `causes`, one of which is about the field; or it loses
   *   what is missing in `became`.
   * - `refuted`: objects with the change were accepted before and after, and none was refused.
   * - `open`: no object was accepted before, none was evaluated, or another change caused the refusal.
   * - `unanswered`: the validator did not answer for an object that may prove it, for the reason in `why`.
   */
  readonly confirmation: "confirmed" | "refuted" | "open" | "unanswered";
  readonly why?: string;
  /** The number of tried objects that were accepted before. */
  readonly tried: number;
  readonly object?: unknown;
  /** The object that `object` replaces; `undefined` for a creation. */
  readonly from?: unknown;
  /** `object` as read after it was stored; `undefined` if it is refused. */
  readonly became?: unknown;
  /** Whether a change of `object` is accepted when it is stored already; `undefined` if unknown. */
  readonly stored?: "accepted" | "refused";
}

/** The verdict of an API server on one object of a manifest. */
export interface ServerVerdict {
  /** By index of the manifest's objects; -1 for the default CR. */
  readonly index: number;
  readonly verdict: ValidationVerdict;
}

/** The branch of a change. */
export interface HeadBranch {
  readonly branch: string;
  /** All files that it changes, also outside of the catalogue, from the top of the repository. */
  readonly files: readonly string[];
}

/** The author, the approvers and the branch of a change, as the forge reports them. */
export interface People {
  /** The login of the author; `undefined` when unknown. */
  readonly author: string | undefined;
  /** The logins that approved the head commit. */
  readonly approvedBy: readonly string[];
  /** The head branch of the change and all files that it changes; `undefined` when unknown. */
  readonly head?: HeadBranch | undefined;
  /** Logins by team (`@org/team`). The members of teams that are not listed are unknown. */
  readonly teams: ReadonlyMap<string, readonly string[]>;
}

/** A fact that was not gathered. */
export const NOT_GATHERED: Fact<never> = { kind: "unknown", why: "the fact was not gathered" };

/** The fact under `key`; unknown if it was not gathered. */
export function gatheredFact<T>(facts: ReadonlyMap<string, Fact<T>>, key: string): Fact<T> {
  return facts.get(key) ?? NOT_GATHERED;
}

/**
 * The manifest under `key` for a comparison; unknown if a part of it cannot be read, since an object that seems to be
 * missing may be in that part.
 */
export function wholeManifest(manifests: ReadonlyMap<string, Fact<Manifest>>, key: string): Fact<Manifest> {
  const fact = gatheredFact(manifests, key);
  const [broken] = fact.kind === "known" ? fact.value.findings : [];
  if (broken === undefined) return fact;
  return { kind: "unknown", why: `its manifest cannot be read (${broken.file}, line ${broken.line})` };
}
