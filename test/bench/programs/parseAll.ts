import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Parses every channel file of the catalogue in `folder`, keeps the values, and prints how many there are. */
export function parseAll(folder: string, parse: (text: string) => unknown): void {
  const channels = readdirSync(join(folder, "channels"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const files = channels.flatMap(({ name }) => {
    const path = join(folder, "channels", name);
    return readdirSync(path).map((file) => join(path, file));
  });
  const values = files.map((file) => parse(readFileSync(file, "utf8")));
  console.log(JSON.stringify({ items: values.length }));
}
