import {
  SMOKE_STEPS,
  type EvidenceOf,
  type ObservedPath,
  type SmokeStep,
} from "../../src/catalogue/evidence/evidence.ts";
import type { ModuleVersion } from "../../src/catalogue/version.ts";

const without = (...steps: readonly SmokeStep[]): readonly SmokeStep[] =>
  SMOKE_STEPS.filter((step) => !steps.includes(step));

/** An install with all steps passed with pods, unless `some` says otherwise. */
export const install = (some: Partial<ObservedPath> = {}): ObservedPath => ({
  pods: true,
  passed: without("upgrade", "served"),
  failed: [],
  notChecked: [],
  ...some,
});

/** A content to upgrade from. */
export interface Origin {
  readonly version: string;
  readonly specHash: string;
}

/** The same for an upgrade. */
export const upgrade = ({ version, specHash }: Origin, some: Partial<ObservedPath> = {}): ObservedPath => ({
  ...install({ from: version as ModuleVersion, fromSpecHash: specHash, passed: without("dependencies") }),
  ...some,
});

/** The path with a failed `step`, and nothing after it checked. */
export function failing(path: ObservedPath, step: SmokeStep = "use"): ObservedPath {
  const at = path.passed.indexOf(step);
  return { ...path, passed: path.passed.slice(0, at), failed: [step], notChecked: path.passed.slice(at + 1) };
}

/** The result of one run for the install and for the upgrades from `origins`: all passed, or all failed. */
export function ranOn(
  passed: boolean,
  ...origins: readonly Origin[]
): Pick<EvidenceOf<"smoke">, "kubernetes" | "paths"> {
  const paths = [install(), ...origins.map((origin) => upgrade(origin))];
  return { kubernetes: "1.36.3", paths: passed ? paths : paths.map((path) => failing(path)) };
}
