import { describe, expect, it } from "vitest";
import { parseImage } from "../../src/kubernetes/image.ts";

const SHA256 = `sha256:${"0a".repeat(32)}`;

describe("an image reference", () => {
  it.for<[string, string, string, (string | undefined)?, string?]>([
    ["nginx", "docker.io", "library/nginx"],
    ["nginx:1.27", "docker.io", "library/nginx", "1.27"],
    ["org/tool", "docker.io", "org/tool"],
    ["docker.io/nginx", "docker.io", "library/nginx"],
    ["index.docker.io/nginx", "docker.io", "library/nginx"],
    ["index.docker.io/org/tool:v1", "docker.io", "org/tool", "v1"],
    ["localhost/tool", "localhost", "tool"],
    ["registry:5000/tool:1.0.0", "registry:5000", "tool", "1.0.0"],
    ["Registry/tool", "Registry", "tool"],
    ["127.0.0.1:5000/a/b__c/d.e-f--g", "127.0.0.1:5000", "a/b__c/d.e-f--g"],
    ["[2001:db8::1]:5000/tool", "[2001:db8::1]:5000", "tool"],
    [`example.com/org/tool@${SHA256}`, "example.com", "org/tool", undefined, SHA256],
    [`example.com/org/tool:1.2.0@${SHA256}`, "example.com", "org/tool", "1.2.0", SHA256],
    [`example.com/tool@sha384:${"a".repeat(96)}`, "example.com", "tool", undefined, `sha384:${"a".repeat(96)}`],
    [`example.com/tool@sha512:${"a".repeat(128)}`, "example.com", "tool", undefined, `sha512:${"a".repeat(128)}`],
    ["example.com/tool:_under.score-9", "example.com", "tool", "_under.score-9"],
  ])("%s is read like a client reads it", ([text, registry, repository, tag, digest]) => {
    expect(parseImage(text)).toEqual({ registry, repository, tag, digest });
  });

  it.for([
    "",
    "/",
    "/tool",
    "tool/",
    "a//b",
    "Tool",
    "org/Tool",
    "example.com/org/Tool",
    "example.com/tool:",
    "example.com/tool:1.0.0+build",
    "example.com/tool:-tag",
    `example.com/tool:${"t".repeat(129)}`,
    "example.com/tool@sha256:0a",
    `example.com/tool@${SHA256.toUpperCase()}`,
    `example.com/tool@md5:${"0a".repeat(16)}`,
    "example.com/tool__",
    "example.com/a___b",
    "example.com:port/tool",
    "-example.com/tool",
    "https://example.com/tool",
    "example.com/to ol",
    "example.com/tool\n",
    "a".repeat(64),
    `example.com/${"a".repeat(256)}`,
    `example.com/${"a-".repeat(100_000)}`,
  ])("%s is refused", (text) => {
    expect(parseImage(text)).toBeUndefined();
  });

  it("has a repository of at most 255 characters", () => {
    expect(parseImage(`example.com/${"a".repeat(255)}`)?.repository).toHaveLength(255);
  });
});
