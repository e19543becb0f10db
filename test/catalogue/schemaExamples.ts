/** Small files that their schemas accept. */
export const EXAMPLES = {
  channel: { format: 1, kind: "release", follows: "fast", versions: "release", landscapes: ["dev"] },
  settings: { format: 1, landscapes: [{ name: "dev", controlPlane: { context: "kcp-dev" } }] },
  template: {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleTemplate",
    metadata: { name: "object-store-fast" },
    spec: { moduleName: "object-store", version: "0.9.1", descriptor: {} },
  },
  meta: {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "ModuleReleaseMeta",
    metadata: { name: "object-store" },
    spec: { moduleName: "object-store", channels: [{ channel: "fast", version: "0.9.1" }] },
  },
} as const;
