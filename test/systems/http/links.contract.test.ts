import { describe, expect, it } from "vitest";
import { openLinks } from "../../../src/systems/http/web.ts";
import { quietRun } from "../../support/quietRun.ts";
import { LIMITS, limitsFor, startServer, type Reply } from "../webServer.ts";

const run = quietRun();
const links = openLinks({}, { allowsLoopback: true, limits: LIMITS });

async function download(reply: Reply | ((path: string) => Reply), maxBytes = 1_000): Promise<string | undefined> {
  const server = await startServer(({ path }) => (typeof reply === "function" ? reply(path) : reply));
  const limits = typeof reply === "function" ? LIMITS : limitsFor(reply);
  const bytes = await openLinks({}, { allowsLoopback: true, limits }).download(
    `http://${server.host}/manifest.yaml`,
    maxBytes,
    run,
  );
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

describe("a link", () => {
  it("is downloaded, also after a redirect to another host", async () => {
    expect(await download({ status: 200, body: "a: b" })).toBe("a: b");
    expect(
      await download((path) =>
        path === "/manifest.yaml"
          ? { status: 302, headers: { location: "/release/1.0.0" } }
          : { status: 200, body: path },
      ),
    ).toBe("/release/1.0.0");
  });

  it("has no content if nothing is there", async () => {
    expect(await download({ status: 404 })).toBeUndefined();
    expect(await download({ status: 410 })).toBeUndefined();
  });

  it.for<[string, Reply, string]>([
    ["leads to a login", { status: 401 }, "LINK_REFUSED"],
    ["is forbidden", { status: 403 }, "LINK_REFUSED"],
    ["gives too much", { status: 200, body: "a".repeat(1_001) }, "LINK_REFUSED"],
    ["leads in a circle", { status: 302, headers: { location: "/manifest.yaml" } }, "LINK_REFUSED"],
    ["leads to an address without TLS", { status: 302, headers: { location: "http://a.invalid/" } }, "LINK_REFUSED"],
    ["leads to a file", { status: 302, headers: { location: "file:///etc/passwd" } }, "LINK_REFUSED"],
    ["has a server that fails", { status: 500 }, "LINK_UNREACHABLE"],
    ["has a server that does not answer", "hang", "LINK_UNREACHABLE"],
    ["gives less than it promises", "truncate", "LINK_UNREACHABLE"],
  ])("is refused if it %s", async ([, reply, code]) => {
    await expect(download(reply)).rejects.toMatchObject({ name: "Fault", code });
  });

  it.for([
    "",
    "manifest.yaml",
    "http://a.invalid/manifest.yaml",
    "file:///etc/passwd",
    "data:text/plain,a",
    "https://user:password@a.invalid/",
  ])("must be an https address: %s", async (url) => {
    await expect(links.download(url, 1_000, run)).rejects.toMatchObject({ code: "LINK_REFUSED" });
  });

  it("is shown without its user, its password and its query, which may be secrets", async () => {
    const server = await startServer(() => ({ status: 403 }));
    const addresses = [
      "https://t0ken@a.invalid/",
      "https://:t0ken@a.invalid/",
      `http://${server.host}/a?token=t0ken`,
      "http://a.invalid/a?token=t0ken",
    ];
    for (const address of addresses) {
      const fault = await links.download(address, 1_000, run).catch((error: unknown) => error);
      expect(fault).toMatchObject({ code: "LINK_REFUSED", message: expect.not.stringContaining("t0ken") as string });
    }
  });

  it("cannot reach services of this machine, which have no certificate", async () => {
    const server = await startServer(() => ({ status: 200, body: "secret" }));
    const [, port = ""] = server.host.split(":");
    const ours = openLinks({}, { limits: LIMITS });
    for (const host of ["127.0.0.1", "127.1", "0x7f000001", "localhost", "[::ffff:127.0.0.1]"]) {
      await expect(ours.download(`http://${host}:${port}/`, 1_000, run)).rejects.toMatchObject({
        code: "LINK_REFUSED",
      });
      await expect(ours.download(`https://${host}:${port}/`, 1_000, run)).rejects.toMatchObject({ name: "Fault" });
    }

    expect(server.requests).toEqual([]);
  });

  it("ends at once when the run is aborted", async () => {
    const interruption = new AbortController();
    const server = await startServer(() => {
      interruption.abort(new Error("interrupted"));
      return "hang";
    });
    const asked = openLinks({}, { allowsLoopback: true });

    await expect(asked.download(`http://${server.host}/`, 1_000, quietRun(interruption.signal))).rejects.toThrow(
      "interrupted",
    );
  });
});
