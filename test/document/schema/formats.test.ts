import { describe, expect, it } from "vitest";
import { TEXT_FORMATS } from "../../../src/document/schema/formats.ts";

const CASES: Readonly<Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>> = {
  "date-time": {
    good: [
      "2026-12-18T00:00:00Z",
      "2024-02-29T23:59:59.999Z",
      "2026-05-04T09:30:00+02:00",
      "0001-01-01T00:00:00-11:30",
    ],
    bad: [
      "",
      "2026-12-18",
      "2026-12-18T00:00Z",
      "2026-12-18T00:00:00",
      "2026-12-18 00:00:00Z",
      "2026-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z",
      "2026-01-00T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:60Z",
      "2026-01-01T00:00:00+24:00",
    ],
  },
  "iana-time-zone": {
    good: ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+1"],
    bad: ["", "Europe/Berln", "+01:00", "Berlin", "Europe/Berlin "],
  },
  cron: {
    good: ["* * * * *", "0 8 * * 1-4", "*/15 0-6,22 1,15 JAN-mar mon", "59 23 31 12 7", "0 0 1/2 * SUN-SAT"],
    bad: [
      "",
      "* * * *",
      "* * * * * *",
      "60 * * * *",
      "* 24 * * *",
      "* * 0 * *",
      "* * 32 * *",
      "* * * 13 *",
      "* * * * 8",
      "5-1 * * * *",
      "MON * * * *",
      "* * * * MO",
      "*/0 * * * *",
      "1-2-3 * * * *",
      "1, * * * *",
      "*  * * * *",
      "@daily",
      "1-x * * * *",
    ],
  },
  uri: {
    good: [
      "https://example.org",
      "https://example.org/a b",
      "/path",
      "*",
      "mailto:a",
      "http://",
      "http:///x",
      "https://user:pw@host:80/",
      "https://[::1]:80/",
      "https://[fe80::1%25en0]/",
      "https://%C3%A9.org/",
      "https://a]b.org/",
      "https://example.org/?%zz#%",
      "//a/b",
      "a:/%20",
    ],
    bad: [
      "",
      "path",
      ":x",
      "1a://x",
      "https://a b/",
      "https://host:port/",
      "https://exa%mple.org/",
      "https://example.org/%zz",
      "/%zz",
      "https://us^er@host/",
      "https://[::1/",
      "https://[1:2]/",
      "https://[::1]x/",
      "https://[::1.]/",
      "https://ex^ample.org/",
      "a:/\u007f",
      "a:/\n",
    ],
  },
};

describe.each(Object.entries(CASES))("the format %s", (name, { good, bad }) => {
  it.each(good)("accepts %j", (text) => {
    expect(TEXT_FORMATS[name]?.accepts(text)).toBe(true);
  });

  it.each(bad)("refuses %j", (text) => {
    expect(TEXT_FORMATS[name]?.accepts(text)).toBe(false);
  });
});

it("has cases for every format", () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(TEXT_FORMATS));
});
