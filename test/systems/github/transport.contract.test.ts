import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/systems/clock.ts";
import { openClient, type GitHubClient } from "../../../src/systems/github/client.ts";
import { quietRun } from "../../support/quietRun.ts";
import { startServer, type Reply } from "../webServer.ts";

const BRANCH = JSON.stringify({ ref: "refs/heads/main", object: { sha: "abc" } });
const PACKED: Reply = {
  status: 200,
  headers: { "content-encoding": "gzip", "content-type": "application/json" },
  body: gzipSync(BRANCH),
};

function clientOf(host: string): GitHubClient {
  return openClient({
    ...{ repository: "octo/train", apiUrl: `http://${host}`, variables: {}, clock: systemClock },
    credentials: { kind: "token", token: "t", mayBeWorkflow: false },
    account: { lastHour: () => Promise.resolve([]), add: () => Promise.resolve() },
    retryPolicy: { answerMs: 60_000, waitMs: 60_000, firstPauseMs: 10, repeats: 2, writesPerHour: 500 },
  });
}

async function tipOf(host: string, kind: "read" | "make" = "read"): Promise<string> {
  const act = { doing: "Reading main", kind, permission: "contents: read" } as const;
  const { object } = await clientOf(host).ask(
    act,
    (rest, place) => rest.git.getRef({ ...place, ref: "heads/main" }),
    quietRun(),
  );
  return object.sha;
}

describe("an answer of GitHub", () => {
  it("comes compressed", async () => {
    const server = await startServer(() => PACKED);

    expect(await tipOf(server.host)).toBe("abc");
    expect(server.requests[0]?.headers["accept-encoding"]).toBe("gzip");
  });

  it("is found after the repository was moved", async () => {
    const server = await startServer(({ path }) =>
      path.startsWith("/repos/")
        ? { status: 301, headers: { location: "/repositories/1/git/ref/heads/main" } }
        : PACKED,
    );

    expect(await tipOf(server.host)).toBe("abc");
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["token t", "token t"]);
  });

  it("that breaks off is requested again, unless that could create something twice", async () => {
    const server = await startServer((_, index) => (index === 0 ? "truncate" : PACKED));
    const cut = await startServer(() => "truncate");

    expect(await tipOf(server.host)).toBe("abc");
    await expect(tipOf(cut.host, "make")).rejects.toMatchObject({ code: "FORGE_UNREACHABLE", isLost: true });
    expect(cut.requests).toHaveLength(1);
  });
});
