import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** A file that pages use. */
export interface PageAsset {
  readonly contentType: string;
  readonly text: string;
  readonly gzip: Buffer;
  readonly etag: string;
}

/** The files that pages use. */
export interface PageAssets {
  /** Addresses of style sheets, in cascading order. */
  readonly styles: readonly string[];
  /** Addresses of scripts. */
  readonly scripts: readonly string[];
  /** By address: `/assets/<hash>/<name>`. The content of an address never changes. */
  readonly files: ReadonlyMap<string, PageAsset>;
}

/**
 * Reads the style sheets and scripts of a folder, `styles/*.css` and `islands/*.ts`, or `.js` in the packed program.
 * Joins all style sheets into one file, since a page waits for them.
 */
export function readPageAssets(folder: string): PageAssets {
  const style = readPageStyle(folder);
  const scripts = namesIn(folder, "islands").map((name): readonly [string, string] => {
    const text = readFileSync(join(folder, "islands", name), "utf8");
    if (!name.endsWith(".ts")) return [name, text];
    return [name.replace(/\.ts$/, ".js"), withoutTypes(text).replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"')];
  });
  const hash = assetDigest([style, ...scripts.flat()].join("\0"));
  const addressOf = (name: string): string => `/assets/${hash}/${name}`;
  return {
    styles: [addressOf("page.css")],
    scripts: scripts.map(([name]) => addressOf(name)),
    files: new Map([
      [addressOf("page.css"), pageAsset("text/css", style)],
      ...scripts.map(([name, text]): [string, PageAsset] => [addressOf(name), pageAsset("text/javascript", text)]),
    ]),
  };
}

/** The style sheets of a folder as one text. */
export function readPageStyle(folder: string): string {
  return namesIn(folder, "styles")
    .map((name) => readFileSync(join(folder, "styles", name), "utf8"))
    .join("\n");
}

function namesIn(folder: string, kind: string): readonly string[] {
  return readdirSync(join(folder, kind))
    .filter((name) => /\.(css|js|ts)$/.test(name))
    .sort();
}

/**
 * Strips types without Node's warning that this feature may change: users cannot act on it, and tests check the result.
 */
function withoutTypes(text: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text, { mode: "strip" });
  } finally {
    process.emitWarning = emitWarning;
  }
}

function pageAsset(type: string, text: string): PageAsset {
  return { contentType: `${type}; charset=utf-8`, text, gzip: gzipSync(text), etag: `"${assetDigest(text)}"` };
}

function assetDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
