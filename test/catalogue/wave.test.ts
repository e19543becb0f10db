import { expect, it } from "vitest";
import { deadlineIn } from "../../src/catalogue/wave.ts";
import { catalogueOf, REPOSITORY } from "./repository.ts";

it("an upgrade may take as long as the landscapes after it say, the shortest; by default, or of none, 10 minutes", () => {
  const after = (name: string, more: string): string =>
    `  - { name: ${name}, controlPlane: { context: c }, after: { landscape: dev, soak: 1h${more} } }\n`;
  const text = `format: 1\nlandscapes:\n  - { name: dev, controlPlane: { context: c } }\n${after("stage", ", deadline: 5m")}${after("prod", "")}`;
  const { settings } = catalogueOf({ ...REPOSITORY, "kyma-modules.yaml": text });

  expect([deadlineIn("dev", settings), deadlineIn("prod", settings), deadlineIn("dev", undefined)]).toEqual([
    ...[300_000, 600_000, 600_000],
  ]);
});
