import { createHash, timingSafeEqual } from "node:crypto";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { getCookie } from "hono/cookie";
import { streamSSE } from "hono/streaming";
import type { Run } from "../../ports.ts";
import { problemText } from "../errno.ts";
import { listen, type ListenAddress, type ListeningServer } from "./listen.ts";
import type { PageAsset, PageAssets } from "./pageAssets.ts";
import { tellChanges, type PageChanges } from "./pageChanges.ts";

/** Options of a page server. */
export interface PageServerOptions extends ListenAddress {
  /** `undefined` for no authentication. */
  readonly auth: PageAuth | undefined;
  readonly assets: PageAssets;
  readonly changes: PageChanges;
  /** Renders the page at an address. */
  readonly page: (asked: AskedPage) => { readonly status: 200 | 404; readonly text: string };
  /** The clock for pages, Unix milliseconds. */
  readonly nowMs: () => number;
}

/** The authentication for pages. */
export type PageAuth =
  /** Requires this token, as a bearer or as the password of basic authentication. */
  | { readonly kind: "token"; readonly token: string }
  /** Requires this header with a user name. Only a proxy may set it, and must remove it from other requests. */
  | { readonly kind: "header"; readonly name: string };

interface AskedPage {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly theme: "light" | "dark" | undefined;
  /** The favourites of the reader, which may no longer exist. */
  readonly favourites: ReadonlySet<string>;
}

/** Timeouts for slow requests, in milliseconds. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** Allows no content from other hosts and no inline scripts. */
export const CONTENT_SECURITY_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types kyma-modules",
].join("; ");

const HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Serves read-only pages. Throws CONFIGURATION if the address is not free. */
export async function openPageServer(options: PageServerOptions, run: Run): Promise<ListeningServer> {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  });
  app.use(onlyReads, ...(isLoopback(options.host) ? [onlyLocalNames] : []));
  if (options.auth !== undefined) app.use(demand(options.auth));
  app.get("/assets/*", (context) => assetAnswer(context, options.assets.files.get(context.req.path)));
  // Browsers request it automatically.
  app.get("/favicon.ico", (context) => context.body(null, 204));
  app.get("/events", (context) => eventsAnswer(context, options, run));
  app.get("*", compress({ encoding: "gzip" }), (context) => pageAnswer(context, options));
  app.onError((error, context) => {
    run.log.warn("a page cannot be made", { path: context.req.path, problem: problemText(error) });
    return context.text("This page cannot be shown because of a bug in kyma-modules. Other pages still work.", 500);
  });
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: LIMITS }) as Server;
  return listen(server, options, "Name another port: --port PORT, or 0 for any free port.", run);
}

const onlyReads: MiddlewareHandler = async (context, next) => {
  if (context.req.method !== "GET" && context.req.method !== "HEAD")
    return context.text("Use GET or HEAD.", 405, { allow: "GET, HEAD" });
  return next();
};

/** Protects against DNS rebinding: a foreign page could point its own host name to this server and read the pages. */
const onlyLocalNames: MiddlewareHandler = async (context, next) =>
  isLoopback(new URL(context.req.url).hostname) ? next() : context.text("Use the host name localhost.", 403);

/** Whether a host is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

function demand(auth: PageAuth): MiddlewareHandler {
  switch (auth.kind) {
    case "header":
      return async (context, next) =>
        (context.req.header(auth.name) ?? "") === ""
          ? context.text("The proxy did not send a user name.", 401)
          : next();
    case "token":
      return async (context, next) =>
        isToken(context.req.header("authorization") ?? "", auth.token)
          ? next()
          : context.text("A token is required, as the password or as a bearer token.", 401, {
              "www-authenticate": 'Basic realm="kyma-modules", charset="UTF-8"',
            });
  }
}

/** Compares in constant time, so that the token cannot be guessed character by character. */
function isToken(authorization: string, token: string): boolean {
  const [scheme = "", value = ""] = authorization.split(" ");
  const given =
    scheme.toLowerCase() === "basic"
      ? Buffer.from(value, "base64")
          .toString()
          .replace(/^[^:]*:/, "")
      : value;
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function assetAnswer(context: Context, asset: PageAsset | undefined): Response {
  if (asset === undefined) return context.text("There is nothing here.", 404);
  const { contentType, etag, text, gzip } = asset;
  const headers = { etag, "cache-control": "private, max-age=31536000, immutable", vary: "accept-encoding" };
  if (context.req.header("if-none-match") === etag) return context.body(null, 304, headers);
  const isZipped = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
  return context.body(isZipped ? new Uint8Array(gzip) : text, 200, {
    ...headers,
    "content-type": contentType,
    ...(isZipped ? { "content-encoding": "gzip" } : {}),
  });
}

function eventsAnswer(context: Context, { changes, nowMs }: PageServerOptions, run: Run): Response {
  const answer = streamSSE(
    context,
    (stream) => tellChanges(stream, changes, context.req.header("last-event-id"), nowMs),
    (error) => {
      run.log.warn("a page no longer receives changes", { problem: problemText(error) });
      return Promise.resolve();
    },
  );
  answer.headers.set("cache-control", "no-store, no-transform");
  answer.headers.set("x-accel-buffering", "no");
  return answer;
}

function pageAnswer(context: Context, { page }: PageServerOptions): Response {
  const { pathname: path, searchParams: query } = new URL(context.req.url);
  const cookie = getCookie(context, "theme");
  const theme = cookie === "light" || cookie === "dark" ? cookie : undefined;
  const favourites = new Set(getCookie(context, "favourites")?.split("."));
  const { status, text } = page({ path, query, theme, favourites });
  return context.html(text, status, { "cache-control": "no-store" });
}
