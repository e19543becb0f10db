import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 20;
const REMOVAL_ATTEMPTS = 150;

/** Where the machine has its cgroups: in one place, or in the older version in one for each controller. */
function hierarchies(): readonly string[] {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  return mounts.filter((line) => / - cgroup2? /.test(line)).map((line) => line.split(" ")[4] ?? "");
}

/** Makes a cgroup of this name in every hierarchy, in which pods may have every controller. */
export function makeCgroups(name: string): void {
  for (const hierarchy of hierarchies()) {
    const group = join(hierarchy, name);
    mkdirSync(group, { recursive: true });
    // In the older version a group begins without any processor and memory.
    for (const setting of ["cpuset.cpus", "cpuset.mems"].filter((file) => existsSync(join(hierarchy, file))))
      writeFileSync(join(group, setting), readFileSync(join(hierarchy, setting)));
    // In the newer one it has the controllers that the group above it hands on.
    const controllers = join(hierarchy, "cgroup.controllers");
    const offered = existsSync(controllers) ? readFileSync(controllers, "utf8").trim() : "";
    if (offered !== "") writeFileSync(join(hierarchy, "cgroup.subtree_control"), offered.replaceAll(/\S+/g, "+$&"));
  }
}

/** Removes the cgroups of this name and all in them. Their processes have to be dead. */
export async function removeCgroups(name: string): Promise<void> {
  for (const group of hierarchies().map((hierarchy) => join(hierarchy, name)))
    if (existsSync(group)) await removeGroup(group);
}

async function removeGroup(group: string): Promise<void> {
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) await removeGroup(join(group, entry.name));
  for (let attempt = 1; ; attempt += 1) {
    try {
      rmdirSync(group);
      return;
    } catch (error) {
      // The kernel takes a moment to forget dead processes.
      if (attempt === REMOVAL_ATTEMPTS) throw error;
      await delay(POLL_MS);
    }
  }
}
