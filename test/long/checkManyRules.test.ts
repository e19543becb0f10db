import { expect, it } from "vitest";
import { checkIn, sampleRepository } from "../cli/checking.ts";
import { mentions } from "../support/mentions.ts";
import { narrowedBesideRules } from "./manyRules.ts";

it("a narrowed pattern beside 9,000 CEL rules, which an API server accepts, is a proven break", async () => {
  const repository = sampleRepository();
  const { base, change } = narrowedBesideRules(9000);
  repository.write(base);
  repository.commit();
  repository.write(change);
  repository.commit();
  const options = ["--base", "HEAD~1", "--offline", "--rule", "crd-compatible"];
  const { code, stdout } = await checkIn(repository.path, options);

  expect([code, stdout]).toEqual([1, mentions("error", ".spec.size", "(proven)", "1 error")]);
});
