import { expect, it } from "vitest";
import { linkText } from "../../src/document/printable.ts";

it.each([
  ["https://example.com/a@1.2.0/b.yaml", "https://example.com/a@1.2.0/b.yaml"],
  ["https://user:pass@example.com:8443/a?token=t#access_token=t", "https://example.com:8443/a"],
  ["not a link://user:pass@a?token=t", "not a link://a"],
])("%s is shown without what may be a secret", (link, shown) => {
  expect(linkText(link)).toBe(shown);
});
