import {
  FAST,
  manifestPath,
  manifestText,
  MODULE,
  REGULAR,
  REGULAR_POLICY,
  templateText,
} from "../../src/check/example.ts";
import type { Folder } from "../systems/repository.ts";
import { merge, POLICY, siteOf } from "./promoting.ts";

/** What is said of `sample`, said of `twin`. */
export const asTwin = (text: string): string => text.replaceAll("sample", "twin");

/** `twin` 1.0.0 in fast and regular. */
export const TWIN: Readonly<Record<string, string>> = {
  [asTwin(FAST)]: asTwin(templateText("fast", "1.0.0")),
  [asTwin(REGULAR)]: asTwin(templateText("regular", "1.0.0")),
  [asTwin(MODULE)]: 'format: 1\nowners: ["@kyma-project/twin"]\n',
};

/** Brings a version of `twin` into fast. */
export function twinSubmission(version: string): Readonly<Record<string, string>> {
  const [template, manifest] = [templateText("fast", version), manifestText(version)].map(asTwin);
  return { [asTwin(FAST)]: template ?? "", [asTwin(manifestPath(version))]: manifest ?? "" };
}

/** A site that serves `sample` and `twin`, of which fast got 1.1.0 nine and eight days ago. */
export function twinsWith(limits: string): Folder {
  const site = siteOf({ ...TWIN, [REGULAR_POLICY]: `${POLICY}  limits: ${limits}\n` });
  const text = templateText("fast", "1.1.0");
  merge(site, { [FAST]: text, [manifestPath("1.1.0")]: manifestText("1.1.0") }, 9);
  merge(site, twinSubmission("1.1.0"), 8);
  return site;
}
