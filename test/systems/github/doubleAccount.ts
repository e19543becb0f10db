import { createVerify, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { repositoryBody, userBody } from "./doubleBodies.ts";
import { instant } from "./doubleGit.ts";
import { Refusal, type Answer, type Call, type Routes } from "./doubleRoute.ts";
import { complete, type Fields } from "./doubleSample.ts";
import type { Actor, World } from "./doubleWorld.ts";

/** A GitHub App that is installed in the repository. */
export interface DoubleApp {
  readonly id: number;
  readonly installation: number;
  /** PEM; the private half is the client's. */
  readonly publicKey: string;
  /** Its bot is `slug[bot]`. */
  readonly slug: string;
}

/** Who may come, by token. */
export interface Accounts {
  readonly tokens: Map<string, Actor>;
  readonly expired: Set<string>;
  readonly app: DoubleApp | undefined;
}

const BY_APP = ["GET /repos/{owner}/{repo}/installation", "POST /app/installations/{installation_id}/access_tokens"];

/** Who makes a request. Throws 401 for no, an unknown or an expired token, and 403 for one that may not. */
export function authenticate(
  accounts: Accounts,
  operation: string,
  { headers, isRead }: { readonly headers: IncomingHttpHeaders; readonly isRead: boolean },
): Actor {
  const credential = /^(?:token|bearer)\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (credential === undefined) throw new Refusal(401, "Requires authentication");
  if (BY_APP.includes(operation)) return appOf(accounts.app, credential);
  const actor = accounts.tokens.get(credential);
  if (actor === undefined || accounts.expired.has(credential)) throw new Refusal(401, "Bad credentials");
  if (actor.isReader === true && !isRead) throw new Refusal(403, "Resource not accessible by personal access token");
  return actor;
}

/** The App that signed the token: RS256, issued by its id, and neither of the past nor of the future. */
function appOf(app: DoubleApp | undefined, token: string): Actor {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const signed = createVerify("RSA-SHA256").update(`${header}.${payload}`);
  if (app === undefined || !signed.verify(app.publicKey, signature, "base64url")) {
    throw new Refusal(401, "A JSON web token could not be decoded");
  }
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Readonly<Record<string, unknown>>;
  const seconds = Date.now() / 1000;
  const isOurs = String(claims["iss"]) === String(app.id);
  const isNow = Number(claims["exp"]) > seconds && Number(claims["iat"]) <= seconds;
  if (!isOurs || !isNow) throw new Refusal(401, "'Issuer' claim ('iss') or 'Expiration time' claim ('exp') is wrong");
  return { login: `${app.slug}[bot]`, isApp: true };
}

/** The repository, the user, the rate limit, and the installation of an App. */
export function accountRoutes(accounts: Accounts): Routes {
  return {
    "GET /repos/{owner}/{repo}": (_, world) => ({ status: 200, body: repositoryBody(world, "full-repository") }),
    "GET /repos/{owner}/{repo}/collaborators/{username}/permission": readPermission,
    "GET /user": readUser,
    "GET /rate_limit": readRateLimit,
    "GET /repos/{owner}/{repo}/installation": (_, world) => readInstallation(world, accounts),
    "POST /app/installations/{installation_id}/access_tokens": (call, world) => createToken(call, world, accounts),
  };
}

function readPermission({ path }: Call, world: World): Answer {
  const login = path["username"] ?? "";
  const permission = world.settings.permissions[login] ?? "write";
  if (permission === "hidden") throw new Refusal(403, "Must have push access to view collaborator permission.");
  return { status: 200, body: { permission, role_name: permission, user: complete("collaborator", userBody(login)) } };
}

function readUser(call: Call): Answer {
  const { login, isApp, isWorkflow } = call.actor;
  if (isApp === true || isWorkflow === true) throw new Refusal(403, "Resource not accessible by integration");
  const { name: _, email: __, ...user } = userBody(login);
  return { status: 200, body: complete("private-user", user) };
}

/** The rate limit as its headers say it; the window ends in an hour. */
export function rateOf(
  world: World,
  isGraphql = false,
): {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  readonly reset: number;
} {
  const { limit, points } = world.settings;
  const remaining = isGraphql ? points : world.settings.remaining;
  const left = Math.max(0, remaining);
  return {
    limit,
    remaining: left,
    used: limit - left,
    reset: world.settings.resetS ?? Math.floor(Date.now() / 1000) + 3600,
  };
}

function readRateLimit(_: Call, world: World): Answer {
  const rate = rateOf(world);
  return { status: 200, body: { rate, resources: { core: rate, search: rate } } };
}

const PERMISSIONS: Fields = {
  actions: "write",
  checks: "read",
  contents: "write",
  metadata: "read",
  pull_requests: "write",
};

function readInstallation(world: World, { app }: Accounts): Answer {
  if (app === undefined) throw new Refusal(404, "Not Found");
  const body = complete("installation", {
    id: app.installation,
    account: userBody(world.owner),
    app_id: app.id,
    app_slug: app.slug,
    access_tokens_url: `${world.url()}/app/installations/${app.installation}/access_tokens`,
    permissions: PERMISSIONS,
  });
  return { status: 200, body };
}

function createToken(call: Call, _: World, { app, tokens }: Accounts): Answer {
  if (call.path["installation_id"] !== String(app?.installation)) throw new Refusal(404, "Not Found");
  const token = `ghs_${randomUUID().replaceAll("-", "")}`;
  tokens.set(token, call.actor);
  const expires = instant(Date.now() + 3_600_000);
  return {
    status: 201,
    body: { token, expires_at: expires, permissions: PERMISSIONS, repository_selection: "selected" },
  };
}
