import { REGULAR, templateText } from "../../src/check/example.ts";
import { kymaIn } from "./promoting.ts";
import { hashOfSample, itemsOf, type Item } from "./reading.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import type { Ended } from "./program.ts";
import { ranOn } from "../promote/smokePaths.ts";

/** `kyma-modules history sample --verify`. */
export function verify(site: Folder, ...options: readonly string[]): Promise<Ended> {
  return kymaIn(site.path, ["history", "sample", "--verify", ...options]);
}

/** What became of the newest promotion: `result`, and `why`. */
export async function newest(site: Folder, ...options: readonly string[]): Promise<Item> {
  const { stdout, code } = await verify(site, "--format", "json", ...options);
  const verdict = itemsOf("history", stdout).find((item) => typeof item["verdict"] === "object" && item["verdict"])?.[
    "verdict"
  ] as Item | undefined;
  return { code, result: verdict?.["result"], why: verdict?.["why"] };
}

/** Puts 1.1.0 into regular with a forged claim of a decision. Returns the commit. */
export function forge(
  site: Folder,
  claim: { readonly on: string; readonly at: string; readonly verdict?: string; readonly more?: string },
): string {
  site.write({ [REGULAR]: templateText("regular", "1.1.0") });
  return site.commit(
    [
      "Promote sample 1.1.0 to regular",
      "",
      "Promotes: sample@1.1.0",
      "From-Channel: fast",
      "To-Channel: regular",
      `Decided-On: ${claim.on}`,
      `Decided-At: ${claim.at}`,
      `Verdict: ${claim.verdict ?? "sha256:1"}`,
      claim.more ?? "",
    ].join("\n"),
  );
}

/** The instant of so many days ago. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** A template that no channel serves. */
export function bare(version: string): string {
  return templateText("fast", version).replace("sample-fast", `sample-${version}`).replace("  channel: fast\n", "");
}

/** A smoke test that passed, and one that failed. */
export function evidenceFolder(): { readonly good: string; readonly bad: string } {
  const folder = emptyFolder();
  const text = (passed: boolean): string => {
    const origin = { version: "1.0.0", specHash: hashOfSample("1.0.0") };
    const about = { kind: "smoke", module: "sample", version: "1.1.0", specHash: hashOfSample("1.1.0") };
    const one = { ...about, observedAt: daysAgo(2), source: "a run", ...ranOn(passed, origin) };
    return JSON.stringify({ format: 1, evidence: [one] });
  };
  folder.write({ "good.json": text(true), "bad.json": text(false) });
  return { good: `${folder.path}/good.json`, bad: `${folder.path}/bad.json` };
}
