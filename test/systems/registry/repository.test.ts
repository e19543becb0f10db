import { expect, it } from "vitest";
import { parseImage } from "../../../src/kubernetes/image.ts";
import { HttpAnswer } from "../../../src/systems/http/answer.ts";
import type { RegistryRequest } from "../../../src/systems/registry/authorization.ts";
import { repositories } from "../../../src/systems/registry/repository.ts";
import { quietRun } from "../../support/quietRun.ts";

it("contacts Docker Hub at its registry host, with the credentials of its usual name", async () => {
  const asked: RegistryRequest[] = [];
  const exchange = (request: RegistryRequest): ReturnType<Parameters<typeof repositories>[0]["exchange"]> => {
    asked.push(request);
    return Promise.resolve(new HttpAnswer({ status: 404, headers: {} }, Buffer.of()));
  };
  const image = parseImage("nginx:1.27");
  if (image === undefined) throw new Error("the reference is read");
  await repositories({ exchange }, () => false).digestOf(image, quietRun());

  expect(asked.map(({ url, registry }) => [url.href, registry])).toEqual([
    ["https://registry-1.docker.io/v2/library/nginx/manifests/1.27", "docker.io"],
  ]);
});
