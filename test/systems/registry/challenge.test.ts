import { describe, expect, it } from "vitest";
import { readChallenge } from "../../../src/systems/registry/authorization.ts";

describe("a challenge", () => {
  it.for<[string, ReturnType<typeof readChallenge>]>([
    ["Basic realm=registry", { kind: "basic" }],
    ['basic realm="a"', { kind: "basic" }],
    [
      'Bearer realm="https://a/token",service="a",scope="repository:b:pull,push"',
      { kind: "bearer", realm: "https://a/token", service: "a", scope: "repository:b:pull,push" },
    ],
    ['bearer Realm="https://a/token"', { kind: "bearer", realm: "https://a/token", service: "", scope: "" }],
    ['Basic realm="b", Bearer realm="a"', { kind: "bearer", realm: "a", service: "", scope: "" }],
    ['Bearer realm="a", Basic realm="b"', { kind: "bearer", realm: "a", service: "", scope: "" }],
    ["Bearer service=a", undefined],
    ["Negotiate", undefined],
    ["", undefined],
  ])("of %s is understood", ([header, challenge]) => {
    expect(readChallenge(header)).toEqual(challenge);
  });
});
