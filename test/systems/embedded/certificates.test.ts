import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { issue, newAuthority } from "../../../src/systems/embedded/certificates.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-06-01T12:00:00Z");
const AUTHORITY = { commonName: "an authority" };

describe("certificates", () => {
  const authority = newAuthority(AUTHORITY, NOW_MS);
  const parsedAuthority = new X509Certificate(authority.certificate);
  const signer = { subject: AUTHORITY, key: authority.key };

  it("are signed by their authority", () => {
    const { certificate } = issue({ commonName: "x" }, { kind: "client" }, signer, NOW_MS);
    const parsed = new X509Certificate(certificate);
    expect(parsedAuthority.ca).toBe(true);
    expect(parsed.ca).toBe(false);
    expect(parsed.checkIssued(parsedAuthority)).toBe(true);
    expect(parsed.verify(parsedAuthority.publicKey)).toBe(true);
  });

  it("name user and group in the words of Kubernetes", () => {
    const subject = { commonName: "admin", organization: "system:masters" };
    const { certificate } = issue(subject, { kind: "client" }, signer, NOW_MS);
    expect(new X509Certificate(certificate).subject).toBe("O=system:masters\nCN=admin");
  });

  it("of a server hold for its addresses and names, and for no other", () => {
    const usage = { kind: "server", addresses: ["127.0.0.1"], names: ["localhost"] } as const;
    const parsed = new X509Certificate(issue({ commonName: "x" }, usage, signer, NOW_MS).certificate);
    expect(parsed.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(parsed.checkHost("localhost")).toBe("localhost");
    expect(parsed.checkIP("127.0.0.2")).toBeUndefined();
    expect(parsed.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  });

  it.each([
    ["before 2050", "2026-06-01T12:00:00Z"],
    ["across 2050", "2045-06-01T12:00:00Z"],
    ["after 2050", "2060-06-01T12:00:00Z"],
  ])("are valid from a day ago for ten years, %s", (_name, now) => {
    const parsed = new X509Certificate(newAuthority(AUTHORITY, Date.parse(now)).certificate);
    expect(parsed.validFromDate.getTime()).toBe(Date.parse(now) - DAY_MS);
    expect(parsed.validToDate.getTime()).toBe(Date.parse(now) + 3_650 * DAY_MS);
  });

  it("have different serial numbers", () => {
    const serials = Array.from({ length: 50 }, () => {
      const { certificate } = issue({ commonName: "x" }, { kind: "client" }, signer, NOW_MS);
      return new X509Certificate(certificate).serialNumber;
    });
    expect(new Set(serials).size).toBe(50);
  });
});
