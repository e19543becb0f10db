// Keeps the namespaces of a node in FOLDER for as long as it lives: `node keeper.ts FOLDER`, as root. FOLDER/namespaces.json
// says that they are ready. SIGTERM ends everything that runs in them, and removes its cgroups. When this process is
// killed instead, the kernel ends everything, and the next node of the same number takes over the empty cgroups.
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCgroups, removeCgroups } from "./cgroups.ts";
import { connect, coverPlaces, openNamespaces, NAMESPACES_FILE, type Namespaces } from "./namespaces.ts";

const [folder = ""] = process.argv.slice(2);
const asked = once(process, "SIGTERM");
const { pid, holder } = await openNamespaces();
const ended = once(holder, "exit");
const network = connect(pid);
try {
  makeCgroups(network.name);
  coverPlaces(pid, folder);
  announce({ pid, network });
  await Promise.race([asked, ended]);
} finally {
  if (holder.exitCode === null && holder.signalCode === null) process.kill(pid, "SIGKILL");
  await ended; // it waits for its child, which the kernel ends after all others
  await removeCgroups(network.name);
}
/** Writes the file as a whole. */
function announce(namespaces: Namespaces): void {
  const file = join(folder, NAMESPACES_FILE);
  writeFileSync(`${file}.new`, JSON.stringify(namespaces));
  renameSync(`${file}.new`, file);
}
