import { expect, it } from "vitest";
import type { Forge } from "../../../src/ports.ts";
import type { FaultyRequest } from "./doubleFaults.ts";
import { openAppSignIn } from "../../../src/systems/github/appToken.ts";
import { APP, environment, PEM } from "./app.ts";
import { BRANCH, faultOf, forgeTown, type ForgeTown } from "./forgeTown.ts";

const PAGE = "<!DOCTYPE html><html>Please log in</html>";
/** Asks GitHub for everything that this program ever asks for. */
async function askForAll(town: ForgeTown, forge: Forge): Promise<void> {
  const { run, double } = town;
  const { board } = forge;
  if (board === undefined) throw new Error("GitHub has issues");
  const [issue] = await board.issues("promotion", run);
  const { number } = issue ?? (await board.open({ title: "Promotion", body: "All is well." }, "promotion", run));
  await board.comment(number, "Look.", run);
  await board.comments(number, 0, run);
  await board.write(number, { title: "Promotion", body: "Not well." }, run);
  await board.rightOf("a-person", run);
  const { proposals } = await forge.look(["promote/"], run);
  const reviewers = ["@someone"];
  const first = await forge.propose(town.draft({ reviewers }), proposals[0], run);
  await forge.merge(first, town.draft(), run);
  await forge.isQueued?.(first, run);
  const draft = town.draft({ version: "1.2.0", reviewers });
  const second = await forge.propose(draft, first, run);
  await forge.close(second, "for a test", run);
  const third = await forge.propose({ ...draft, isAsked: true }, { ...second, pull: undefined }, run);
  double.setStatus(BRANCH, "check", "success");
  const merged = await forge.merge(third, draft, run);
  const commits = merged.kind === "merged" ? [merged.commit] : [];
  await forge.mergeTimes([...commits, "0".repeat(40)], run);
}

const AS_APP = environment(PEM);
const AS_WORKFLOW = { GITHUB_TOKEN: "ghs_workflows" };

const nameOf = ({ method, path }: Pick<FaultyRequest, "method" | "path">): string =>
  `${method} ${decodeURIComponent(path.split("?")[0] ?? "").replace("/repos/octo/train/", "")}`;

/** Asks for everything; the first answer to each kind of request is `text`. Returns how often each kind was sent. */
async function requestsAround(text: string, variables: Readonly<Record<string, string>>): Promise<Map<string, number>> {
  const town = await forgeTown({ app: APP });
  const seen = new Set<string>();
  const on = (request: FaultyRequest): boolean => seen.size < seen.add(nameOf(request)).size;
  town.double.fault({ on, times: Infinity, trouble: { kind: "foreign", text } });
  await askForAll(town, await town.open({ variables }));
  return new Map([...Map.groupBy(town.double.requests, nameOf)].map(([name, { length }]) => [name, length]));
}

it.each<[string, Readonly<Record<string, string>>]>([
  [PAGE, AS_APP],
  ["", AS_WORKFLOW],
  ["{}", AS_WORKFLOW],
  ["[null]", AS_WORKFLOW],
])("the answer %j to any request is no answer: it is repeated", async (text, variables) => {
  const requests = await requestsAround(text, variables);

  expect(requests.size).toBeGreaterThan(20);
  expect([...requests].filter(([, count]) => count === 1)).toEqual([]);
});

it.each([
  { text: PAGE, status: 200 },
  { text: PAGE, status: 404 },
  { text: "{}", status: 403 },
])("$text with the status $status is a fault if it is repeated", async (answer) => {
  const town = await forgeTown();
  town.double.fault({ on: "GET ", times: Infinity, trouble: { kind: "foreign", ...answer } });
  const fault = await faultOf((await town.open()).look(["promote/"], town.run));

  expect(fault).toMatchObject({ code: "FORGE_UNREACHABLE", retry: true });
  expect(fault.message).toContain(JSON.stringify(answer.text.slice(0, 20)).slice(0, -1));
});

it.each(["GET /repos/octo/train/installation", "POST /app/"])("%s gives Git no token then", async (on) => {
  const town = await forgeTown({ app: APP });
  town.double.fault({ on, times: Infinity, trouble: { kind: "foreign", text: "{}" } });
  const app = openAppSignIn({ apiUrl: town.double.url, repository: "octo/train", variables: AS_APP });

  await expect(app?.signIn(town.run)).rejects.toMatchObject({ code: "FORGE_UNAUTHORIZED", retry: true });
});
