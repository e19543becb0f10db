import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { fieldAt } from "../../../src/document/fields.ts";
import { readDescriptor } from "../../../src/kubernetes/ocm/descriptor.ts";
import { describeUnless } from "../../support/describeUnless.ts";
import { mentions } from "../../support/mentions.ts";

const TEMPLATES = join(import.meta.dirname, "../../../../shared/kyma-data/moduletemplates");
const missing = existsSync(TEMPLATES) ? undefined : "there is no ../shared/kyma-data beside this repository";

describeUnless(missing, "the descriptors of the real templates", () => {
  it("are refused only where they lack what OCM demands", () => {
    const refused = new Map<string, number>();
    for (const name of readdirSync(TEMPLATES)) {
      const objects = loadAll(readFileSync(join(TEMPLATES, name), "utf8"));
      for (const object of objects) {
        const reading = readDescriptor(fieldAt(object, ["spec", "descriptor"]));
        if (reading.kind !== "read" || fieldAt(object, ["kind"]) !== "ModuleTemplate") continue;
        for (const { path, message } of reading.problems) {
          const problem = `${path.join(".")} ${message}`;
          refused.set(problem, (refused.get(problem) ?? 0) + 1);
        }
      }
    }

    expect([...refused].sort(([, one], [, other]) => other - one)).toEqual([
      [mentions("component", "property resources"), 7],
      [mentions("property meta"), 2],
    ]);
  });
});
