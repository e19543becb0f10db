import { expect, it } from "vitest";
import { servedModules, unservedText } from "../../src/catalogue/lookup.ts";
import { catalogueOf, channelTemplate, POLICY, REPOSITORY } from "./repository.ts";

it("names each module that a channel serves once, in order, in what is said of one that none serves", () => {
  const catalogue = catalogueOf({
    ...REPOSITORY,
    "channels/fast/certificates.yaml": channelTemplate("fast", "certificates"),
    "channels/regular.yaml": POLICY,
    "channels/regular/istio.yaml": channelTemplate("regular"),
  });

  expect(unservedText("keda", servedModules(catalogue))).toBe(
    "No channel serves a module keda; there is certificates, istio.",
  );
  expect(unservedText("keda", [])).toBe("No channel serves a module keda; there is none.");
});
