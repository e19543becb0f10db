import { describe, expect, it } from "vitest";
import { openOutput } from "../../../src/cli/terminal/output.ts";
import { sayFindings } from "../../../src/cli/loadCatalogue.ts";
import { finding } from "../../check/report/samples.ts";

function said(...findings: Parameters<typeof sayFindings>[0]): readonly string[] {
  let text = "";
  const stderr = { write: (more: string): void => void (text += more) };
  sayFindings(findings, openOutput({ stdout: stderr, stderr }, { formats: [], color: "never", variables: {} }));
  return text.split("\n");
}

describe("printed findings", () => {
  it("have their place on the first line, indent the other lines, and end with counts", () => {
    const lines = said(finding({ message: "Wrong:\nthis.", remedy: "Run:\n  a" }), finding({ severity: "warning" }));

    expect(lines).toEqual([
      "channels/fast/istio.yaml:3:12: error: Wrong:",
      "    this. [version-downgrade]",
      "    Run:",
      "      a",
      expect.stringContaining(": warning: ") as string,
      "    Submit a higher version, or withdraw 1.3.0.",
      "1 error, 1 warning",
      "",
    ]);
  });

  it("escape control characters", () => {
    const [first] = said(finding({ file: "a\u001b.yaml", message: "b\u0007" }));

    expect(first).toBe("a\\u001b.yaml:3:12: error: b\\u0007 [version-downgrade]");
  });

  it("are empty without findings", () => {
    expect(said()).toEqual([""]);
  });
});
