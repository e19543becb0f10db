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

/** What a server of pages shows, and to whom. */
export interface PageServerOptions extends ListenAddress {
  /** `undefined`: whoever reaches the address. */
  readonly auth: PageAuth | undefined;
  readonly assets: PageAssets;
  readonly changes: PageChanges;
  /** Makes the page at an address. */
  readonly page: (asked: AskedPage) => { readonly status: 200 | 404; readonly text: string };
  /** What pages count down with. Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Who may see pages. */
export type PageAuth =
  /** Who sends this token, as a bearer or as the password of basic authentication. */
  | { readonly kind: "token"; readonly token: string }
  /** Whom a proxy names in this header, which it takes from everybody else. */
  | { readonly kind: "header"; readonly name: string };

/** A page that is asked for. */
export interface AskedPage {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly theme: "light" | "dark" | undefined;
  /** What its reader calls favourites; none of it need be there. */
  readonly favourites: ReadonlySet<string>;
}

/** Who sends a request slower than this is cut off. Milliseconds. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** Nothing is loaded from elsewhere, and nothing inline runs. */
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

/** Serves pages, which only read. Throws CONFIGURATION for an address that is not free. */
export async function openPageServer(options: PageServerOptions, run: Run): Promise<ListeningServer> {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  });
  app.use(onlyReads, ...(isLoopback(options.host) ? [onlyLocalNames] : []));
  if (options.auth !== undefined) app.use(demand(options.auth));
  app.get("/assets/*", (context) => assetAnswer(context, options.assets.files.get(context.req.path)));
  // Browsers ask for it by themselves.
  app.get("/favicon.ico", (context) => context.body(null, 204));
  app.get("/events", (context) => eventsAnswer(context, options, run));
  app.get("*", compress({ encoding: "gzip" }), (context) => pageAnswer(context, options));
  app.onError((error, context) => {
    run.log.warn("a page cannot be made", { path: context.req.path, problem: problemText(error) });
    return context.text("This page cannot be made, by a mistake in kyma-modules. The others stand.", 500);
  });
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: LIMITS }) as Server;
  return listen(server, options, "Name another port: --port PORT, or 0 for any that is free.", run);
}

const onlyReads: MiddlewareHandler = async (context, next) => {
  if (context.req.method !== "GET" && context.req.method !== "HEAD")
    return context.text("Use GET or HEAD.", 405, { allow: "GET, HEAD" });
  return next();
};

/** A stranger's page may have its own name lead here, and would then read what is shown. */
const onlyLocalNames: MiddlewareHandler = async (context, next) =>
  isLoopback(new URL(context.req.url).hostname) ? next() : context.text("Ask for localhost.", 403);

/** Whether only this machine reaches a host. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

function demand(auth: PageAuth): MiddlewareHandler {
  switch (auth.kind) {
    case "header":
      return async (context, next) =>
        (context.req.header(auth.name) ?? "") === "" ? context.text("The proxy names nobody.", 401) : next();
    case "token":
      return async (context, next) =>
        isToken(context.req.header("authorization") ?? "", auth.token)
          ? next()
          : context.text("A token is needed: as the password, or as a bearer.", 401, {
              "www-authenticate": 'Basic realm="kyma-modules", charset="UTF-8"',
            });
  }
}

/** Compared in constant time, so that it cannot be guessed digit by digit. */
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
      run.log.warn("a page is told of no more changes", { problem: problemText(error) });
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
