import { describe, expect, it } from "vitest";
import { drawApart, drawPicture, type TimelinePicture } from "../../../src/dashboard/picture/picture.ts";
import { drawn } from "../../../src/dashboard/parts.ts";
import { day, version } from "../../promote/verdict/timeline.ts";

const PICTURE: TimelinePicture = {
  id: "x",
  title: `<b>"istio"</b>`,
  description: "fast above",
  fromMs: day(0),
  untilMs: day(10),
  rows: [
    {
      label: "fast",
      style: "channel-bar",
      spans: [
        { version: version("1.0.0"), startMs: day(0), endMs: day(5) },
        {
          ...{ version: version("1.1.0"), startMs: day(5), endMs: day(8) },
          ...{ style: "fix", note: "<hot-fix>", held: [{ startMs: day(6), endMs: day(7) }] },
        },
      ],
    },
    { label: "a-channel-with-a-very-long-name", style: "channel-bar", spans: [] },
  ],
  gaps: [],
  marks: [{ row: 1, kind: "hot-fix", atMs: day(5), title: "hot-fix" }],
  links: [{ fromRow: 1, toRow: 0, atMs: day(5) }],
  nowMs: day(8),
};

describe("the picture of a timeline", () => {
  it("draws bars, held periods, links, signs, and now", () => {
    const markup = drawn(drawPicture(PICTURE)).toString();

    expect(markup).toContain(
      '<g class="channel-bar even-bar"><title>1.0.0: 2026-01-01T00:00:00Z to 2026-01-06T00:00:00Z (5d)',
    );
    expect(markup).toContain(
      '<rect x="570" y="14" width="252" height="24" /><rect class="held-bar" x="654" y="38" width="84" height="6" />',
    );
    expect(markup).toContain('<line class="row-link" x1="570" y1="38" x2="570" y2="48" />');
    expect(markup).toContain('<g class="timeline-mark hot-fix-mark">');
    expect(markup).toContain('<line class="now-line" x1="822"');
  });

  it("writes texts of others unchanged", () => {
    expect(drawn(drawPicture(PICTURE)).toString()).toContain("&lt;b&gt;");
    expect(drawn(drawPicture(PICTURE)).toString()).toContain("(3d); &lt;hot-fix&gt;</title>");
  });

  it("makes a label that is too long narrower instead of cutting it off", () => {
    expect(drawn(drawPicture(PICTURE)).toString()).toContain(
      'textLength="138" lengthAdjust="spacingAndGlyphs">a-channel-with',
    );
    expect(drawn(drawPicture(PICTURE)).toString()).toContain('<text class="row-label" x="142" y="30">fast</text>');
  });

  it("splits into labels and the rest, with one scale", () => {
    const { labels, chart } = drawApart(PICTURE, 100);
    const [left, rest] = [drawn(labels).toString(), drawn(chart).toString()];

    expect(left).toContain('viewBox="0 0 100 108"');
    expect(rest).toContain('viewBox="100 0 900 108"');
    expect(left).toContain(">fast</text>");
    expect(rest).not.toContain(">fast</text>");
    expect(rest).toContain('x="100" y="14" width="445"');
  });
});
