import { describe, expect, it } from "vitest";
import { openWebhook } from "../../../src/systems/http/web.ts";
import { quietRun } from "../../support/quietRun.ts";
import { LIMITS, limitsFor, startServer, type Reply } from "../webServer.ts";

const run = quietRun();

describe("a webhook", () => {
  it("receives the document as JSON", async () => {
    const server = await startServer(() => ({ status: 204 }));
    await openWebhook("HOOK", { HOOK: ` http://${server.host}/a/secret\n` }, LIMITS).post('{"text":"a"}', run);

    expect(server.requests).toMatchObject([
      { method: "POST", path: "/a/secret", body: '{"text":"a"}', headers: { "content-type": "application/json" } },
    ]);
  });

  it.for<[string, Reply, string]>([
    ["refuses", { status: 404 }, "LINK_REFUSED"],
    ["leads to an address without TLS", { status: 307, headers: { location: "http://a.invalid/" } }, "LINK_REFUSED"],
    ["fails", { status: 500 }, "LINK_UNREACHABLE"],
    ["does not answer", "hang", "LINK_UNREACHABLE"],
  ])("that %s causes a fault without its address", async ([, reply, code]) => {
    const server = await startServer(() => reply);
    const webhook = openWebhook("HOOK", { HOOK: `http://${server.host}/a/secret` }, limitsFor(reply));
    const fault: unknown = await webhook.post("{}", run).catch((error: unknown) => error);

    expect(fault).toMatchObject({
      name: "Fault",
      code,
      message: expect.stringMatching(/^The webhook of HOOK: http:\/\/127/) as string,
    });
    expect(String(fault)).not.toContain("secret");
  });

  it.each(["", "   ", "secret", "http://a.invalid/secret", "ftp://a.invalid/secret"])(
    "is not opened if the variable is %j",
    (HOOK) => {
      expect(() => openWebhook("HOOK", { HOOK })).toThrow(/^HOOK .*\b(?:set|https)\b.*\bforge\.dashboard/);
      expect(() => openWebhook("HOOK", { HOOK })).not.toThrow("secret");
    },
  );
});
