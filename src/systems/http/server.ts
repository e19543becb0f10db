import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http";
import { textAt } from "../../document/fields.ts";
import { asFault, Fault, type Run } from "../../ports.ts";
import { parseJson } from "../../document/json.ts";
import { listen, type ListenAddress, type ListeningServer } from "./listen.ts";

/** Options of the controller's server. */
export interface ControllerServerOptions extends ListenAddress {
  /** The secret of GitHub's webhook; `undefined` disables the webhook. */
  readonly hookSecret: string | undefined;
  /** Called for each announced push to the repository, possibly more than once. */
  readonly onPush: (push: AnnouncedPush) => void;
  /** The reason to restart the process; `undefined` if it is healthy. */
  readonly alive: () => string | undefined;
  /** The reason why it cannot work; `undefined` if it is ready. */
  readonly ready: () => string | undefined;
  /** The metrics for Prometheus. */
  readonly metrics: () => Promise<MetricsText>;
  /** For tests. */
  readonly limits?: ServerOptions;
}

/** A push in GitHub's webhook. */
export interface AnnouncedPush {
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  /** The new commit of the ref. */
  readonly after: string;
}

/** Metrics in the text format of Prometheus. */
interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** Timeouts for slow requests, in milliseconds. Node checks them at the interval. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** GitHub sends up to 25 MB; a larger push than this is fetched at the next poll. */
const MAX_BODY_BYTES = 1_048_576;

/** An HTTP answer. */
interface Answer {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Handles the requests of a path. */
type Handler = (request: IncomingMessage, run: Run) => Answer | Promise<Answer>;

/** Serves probes, metrics for Prometheus, and GitHub's webhook. Throws CONFIGURATION if the address is not free. */
export async function openControllerServer(options: ControllerServerOptions, run: Run): Promise<ListeningServer> {
  const routes = controllerServerRoutes(options);
  const server = createServer({ ...LIMITS, ...options.limits }, (request, response) => {
    answer(routes, request, run)
      .then((answered) => {
        send(response, request, answered);
      })
      .catch((error: unknown) => {
        // Ignore a client that disconnected. A bug in an answer must not end the controller.
        if (request.errored !== null) return;
        run.log.warn("request failed", { path: request.url ?? "", because: asFault(error).message });
        if (!response.headersSent) send(response, request, { status: 500, text: "See the log of the controller." });
      });
  });
  return listen(server, options, "Name another address: --listen HOST:PORT.", run);
}

/** The methods and the handler of a path. */
interface Route {
  readonly methods: readonly string[];
  readonly handler: Handler;
}

type Routes = ReadonlyMap<string, Route>;

const READ = ["GET", "HEAD"];

function controllerServerRoutes({ alive, ready, metrics, hookSecret, onPush }: ControllerServerOptions): Routes {
  const metricsAnswer = async (): Promise<Answer> => {
    const { contentType, text } = await metrics();
    return { status: 200, text, headers: { "content-type": contentType } };
  };
  const routes = new Map<string, Route>([
    ["/healthz", { methods: READ, handler: () => health(alive()) }],
    ["/readyz", { methods: READ, handler: () => health(ready()) }],
    ["/metrics", { methods: READ, handler: metricsAnswer }],
  ]);
  if (hookSecret === undefined) return routes;
  return routes.set("/hooks/github", { methods: ["POST"], handler: pushHook(hookSecret, onPush) });
}

function health(problem: string | undefined): Answer {
  return problem === undefined ? { status: 200, text: "ok" } : { status: 503, text: problem };
}

async function answer(routes: Routes, request: IncomingMessage, run: Run): Promise<Answer> {
  const [path = ""] = (request.url ?? "").split("?");
  const route = routes.get(path);
  if (route === undefined) return { status: 404, text: "There is nothing here." };
  const { methods, handler } = route;
  if (methods.includes(request.method ?? "")) return handler(request, run);
  return { status: 405, text: `Use ${methods.join(" or ")}.`, headers: { allow: methods.join(", ") } };
}

function send(response: ServerResponse, request: IncomingMessage, { status, text = "", headers = {} }: Answer): void {
  // The unread rest of the request would count as the next one.
  const rest = request.complete ? {} : { connection: "close" };
  const type = text === "" ? {} : { "content-type": "text/plain; charset=utf-8" };
  response.writeHead(status, { ...type, "x-content-type-options": "nosniff", ...headers, ...rest }).end(text);
}

/** Handles the webhook. Logs no content of the request, except a delivery id in GitHub's format. */
function pushHook(secret: string, onPush: ControllerServerOptions["onPush"]): Handler {
  if (secret === "")
    throw new Fault("CONFIGURATION", "The secret of the webhook is empty, so everyone could send requests. Set one.");
  return async (request, run) => {
    const answered = await delivered(request, secret, onPush);
    const delivery = /^[\w-]{1,64}$/.exec(requestHeader(request, "x-github-delivery"))?.[0] ?? "";
    run.log.info("answered a webhook", { method: "POST", path: "/hooks/github", delivery, status: answered.status });
    return answered;
  };
}

async function delivered(
  request: IncomingMessage,
  secret: string,
  onPush: ControllerServerOptions["onPush"],
): Promise<Answer> {
  const body = await requestBody(request);
  if (body === undefined) return { status: 413, text: `The body has more than ${MAX_BODY_BYTES} bytes.` };
  if (!isSigned(body, requestHeader(request, "x-hub-signature-256"), secret))
    return { status: 401, text: "The signature is missing or does not match the body." };
  const event = parseJson(body);
  if (event === undefined)
    return { status: 400, text: "The body is not JSON: set the content type to application/json." };
  if (requestHeader(request, "x-github-event") !== "push") return { status: 204 };
  const [ref, after] = [textAt(event, ["ref"]), textAt(event, ["after"])];
  if (ref === undefined || after === undefined) return { status: 400, text: "The push has no ref or after." };
  onPush({ ref, after });
  return { status: 202, text: "accepted" };
}

/** The complete body; `undefined` if it is too large. Throws if the client disconnects. */
async function requestBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on("end", () => {
      resolve(Buffer.concat(chunks));
    });
    request.on("error", reject);
  });
}

/**
 * Checks GitHub's signature, an HMAC of the body. Compares in constant time, so that it cannot be guessed digit by
 * digit.
 */
function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const claimed = Buffer.from(/^sha256=([0-9a-f]{64})$/.exec(signature)?.[1] ?? "", "hex");
  const expected = createHmac("sha256", secret).update(body).digest();
  return claimed.length === expected.length && timingSafeEqual(claimed, expected);
}

function requestHeader(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? "");
}
