const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const NAME = "never-pull";

const container = (list: string): string =>
  `${list}: object.spec.${list}.map(one, Object.spec.${list}{name: one.name, imagePullPolicy: "IfNotPresent"})`;

const policy = {
  metadata: { name: NAME },
  spec: {
    failurePolicy: "Fail",
    reinvocationPolicy: "Never",
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
    mutations: [
      {
        patchType: "ApplyConfiguration",
        applyConfiguration: { expression: `Object{spec: Object.spec{${container("containers")}}}` },
      },
    ],
  },
};

/**
 * Paths and objects by which pods take the images that are there, also where they ask for a pull. That is decided when a
 * pod is created, so that what manifests and Deployments say stays as it is.
 */
export const NEVER_PULL: readonly (readonly [path: string, object: object])[] = [
  [`${ADMISSION}/mutatingadmissionpolicies`, policy],
  [`${ADMISSION}/mutatingadmissionpolicybindings`, { metadata: { name: NAME }, spec: { policyName: NAME } }],
];
