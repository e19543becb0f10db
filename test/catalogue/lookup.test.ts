import { expect, it } from "vitest";
import { servedModules, unknownChannelText, unservedText } from "../../src/catalogue/lookup.ts";
import { mentions } from "../support/mentions.ts";
import { catalogueOf, channelTemplate, POLICY, REPOSITORY } from "./repository.ts";

it("lists each served module once, in order, in the message for an unserved module", () => {
  const catalogue = catalogueOf({
    ...REPOSITORY,
    "channels/fast/certificates.yaml": channelTemplate("fast", "certificates"),
    "channels/regular.yaml": POLICY,
    "channels/regular/istio.yaml": channelTemplate("regular"),
  });

  expect(unservedText("keda", servedModules(catalogue))).toEqual(mentions("keda", "certificates, istio"));
  expect(unservedText("keda", [])).toEqual(mentions("keda", "none"));
});

it("lists the channels in the message for an unknown one", () => {
  expect(unknownChannelText("slow", ["fast", "regular"])).toEqual(mentions("slow", "fast, regular"));
  expect(unknownChannelText("slow", [])).toEqual(mentions("slow", "none"));
});
