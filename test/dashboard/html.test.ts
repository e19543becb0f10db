import { describe, expect, it } from "vitest";
import { html, htmlLines, NOTHING, outwardLink } from "../../src/dashboard/html.ts";

const HOSTILE = `"><script>alert('x')</script>&`;

describe("the template of pages", () => {
  it("writes text as text, in an element and in an attribute", () => {
    const text = html`<a title="${HOSTILE}">${HOSTILE}</a>`.toString();

    expect(text).not.toContain("<script>");
    expect(text.match(/"/g)).toHaveLength(2);
  });

  it("writes invisible and direction characters as escapes", () => {
    expect(html`${"a\u202eb\u0000"}`.toString()).toBe(String.raw`a\u202eb\u0000`);
  });

  it("nests markup, lists and numbers, and omits missing values", () => {
    expect(html`<p>${[html`<b>${1}</b>`, "<", [NOTHING, undefined, false]]}</p>`.toString()).toBe(
      "<p><b>1</b>&lt;</p>",
    );
  });

  it("keeps the line breaks of a text", () => {
    expect(htmlLines("a: <b>\r\nc: \u202e").toString()).toBe(String.raw`a: &lt;b&gt;&#10;c: \u202e&#10;`);
  });

  it("links only to https", () => {
    expect(outwardLink("https://example.com/?a=1&b", "seen").toString()).toBe(
      '<a href="https://example.com/?a=1&amp;b" rel="noreferrer">seen</a>',
    );
    expect(outwardLink("javascript:alert(1)", "<seen>").toString()).toBe("&lt;seen&gt;");
    expect(outwardLink(undefined, "seen").toString()).toBe("seen");
  });
});
