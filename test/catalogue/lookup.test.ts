import { expect, it } from "vitest";
import { servedModules, unknownChannelText, unservedText } from "../../src/catalogue/lookup.ts";
import { catalogueOf, channelTemplate, POLICY, REPOSITORY } from "./repository.ts";

it("lists each served module once, in order, in the message for an unserved module", () => {
  const catalogue = catalogueOf({
    ...REPOSITORY,
    "channels/fast/certificates.yaml": channelTemplate("fast", "certificates"),
    "channels/regular.yaml": POLICY,
    "channels/regular/istio.yaml": channelTemplate("regular"),
  });

  expect(unservedText("keda", servedModules(catalogue))).toBe(
    "No channel serves the module keda. Served modules: certificates, istio.",
  );
  expect(unservedText("keda", [])).toBe("No channel serves the module keda. Served modules: none.");
});

it("lists the channels in the message for an unknown one", () => {
  expect(unknownChannelText("slow", ["fast", "regular"])).toBe("There is no channel slow. Channels: fast, regular.");
  expect(unknownChannelText("slow", [])).toBe("There is no channel slow. Channels: none.");
});
