// Builds src/kubernetes/validator again; `--check` fails when what is committed is not what the source gives.
// The same Go, whose version go.mod pins, makes the same bytes on every machine. Brotli's may change with Node, so
// the digest of the uncompressed program is what counts; it lies beside it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "kubernetes", "validator");
const program = join(source, "validator.wasm.br");
const record = join(source, "validator.wasm.sha256");

/** Kubernetes' validation of definitions needs one file of this package; the rest of it drags in gRPC, 40 MB of it. */
const WEBHOOK = join("vendor", "k8s.io", "apiserver", "pkg", "util", "webhook");
const NEEDED = "validation.go";

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The program, built in a folder of its own: what Go copies there can be cut, and paths leave no traces. */
function build() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "validator-"));
  try {
    cpSync(source, folder, { recursive: true, filter: (path) => !path.includes("validator.wasm") });
    const toolchain = /^toolchain (\S+)$/m.exec(readFileSync(join(source, "go.mod"), "utf8"))[1];
    const variables = {
      GOTOOLCHAIN: toolchain,
      GOWORK: "off",
      GOFLAGS: "",
      GOOS: "wasip1",
      GOARCH: "wasm",
      GOWASM: "",
    };
    const go = (...args) =>
      execFileSync("go", args, { cwd: folder, env: { ...process.env, ...variables }, stdio: ["ignore", 2, 2] });
    go("mod", "vendor");
    const webhook = join(folder, WEBHOOK);
    for (const name of readdirSync(webhook)) if (name !== NEEDED) rmSync(join(webhook, name));
    const flags = ["-mod=vendor", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-buildmode=c-shared"];
    go("build", ...flags, "-o", "validator.wasm", ".");
    return readFileSync(join(folder, "validator.wasm"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Says whether three things agree: the source, the record, and the compressed program. */
function check(built) {
  const found = {
    source: digest(built),
    "validator.wasm.sha256": readFileSync(record, "utf8").trim(),
    "validator.wasm.br": digest(brotliDecompressSync(readFileSync(program))),
  };
  for (const [name, value] of Object.entries(found)) process.stdout.write(`${value}  ${name}\n`);
  if (new Set(Object.values(found)).size === 1) return 0;
  process.stderr.write(
    "what is committed is not what the source gives: run node .ci/validator.js and commit what it writes\n",
  );
  return 1;
}

function write(built) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: built.length,
  };
  writeFileSync(program, brotliCompressSync(built, { params }));
  writeFileSync(record, `${digest(built)}\n`);
}

const built = build();
if (process.argv.includes("--check")) process.exitCode = check(built);
else write(built);
