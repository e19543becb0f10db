import type { ModuleCondition, ModuleUser } from "../../src/fleet/users.ts";

/** A cluster that uses a module from fast. Its Manifest installs the version in its status. */
export function moduleUser(use: Partial<ModuleUser>, condition: Partial<ModuleCondition> = {}): ModuleUser {
  const { version } = use;
  const settled = { state: "Ready", sinceMs: undefined, leftOut: undefined, isWaiting: false, cause: undefined };
  return {
    ...{ name: "Kyma a", kyma: "a", channels: ["fast"], version, installed: version, ...use },
    condition: { channels: ["fast"], ...settled, ...condition },
  };
}
