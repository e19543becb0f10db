import js from "@eslint/js";
import tseslint from "typescript-eslint";
import { pureFiles } from "./test/house/pureFiles.ts";

const rooms = ["src/**/*.ts"];
const effects = ["src/cli/**", "src/systems/**"];

/** What a room may not reach without a port. */
const ambient = [
  "process",
  "fetch",
  "console",
  "performance",
  "WebSocket",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
].map((name) => ({ name, message: "Ask a port of ports.ts for it." }));

const entryPoint = "Only cli/ reads it; take the value as an argument.";

/** What the style forbids everywhere and no rule of a plugin knows. */
const style = [
  {
    selector: "TSAsExpression > TSAsExpression.expression",
    message: "A cast through another type hides a mistake; parse the value.",
  },
  {
    selector:
      ":matches(TSInterfaceDeclaration, TSTypeAliasDeclaration, ClassDeclaration, FunctionDeclaration)[id.name=/^I[A-Z][a-z]|Impl$|Helper|Utils?$/]",
    message: "Name what it is, in a word of the field.",
  },
  {
    selector: "ImportSpecifier[imported.name='raw']",
    message: "Markup comes from the template html, which escapes what is not markup.",
  },
];

/** Names by which a search finds one thing. */
const searchable = [
  {
    selector: "FunctionDeclaration[id.name=/[a-z]Of$/]",
    message: "Name the function after what it returns: landscapeRow, not rowOf.",
  },
];

const pure = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: "Pass the time in." },
  { selector: "CallExpression[callee.name='Date']", message: "Pass the time in." },
  { selector: ":function[async=true], AwaitExpression", message: "Decisions are synchronous." },
  { selector: "ImportExpression", message: "Decisions are synchronous." },
];

export default tseslint.config(
  { ignores: ["coverage/", "dist/", "test/house/fixtures/"] },
  js.configs.recommended,
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 10],
      eqeqeq: "error",
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", 60],
      "max-params": ["error", 5],
      "no-warning-comments": [
        "error",
        {
          terms: ["todo", "fixme", "xxx", "v8 ignore", "c8 ignore", "istanbul ignore", "node:coverage"],
          location: "anywhere",
        },
      ],
    },
  },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { allowDefaultCaseForExhaustiveSwitch: false }],
      "no-restricted-syntax": ["error", ...style],
    },
  },
  { files: rooms, rules: { "no-restricted-syntax": ["error", ...style, ...searchable] } },
  {
    files: rooms,
    ignores: [...effects, "src/dashboard/islands/**"],
    rules: { "no-restricted-globals": ["error", ...ambient] },
  },
  {
    files: rooms,
    // The environment of a thread is its argument: client-node reads it, too.
    ignores: ["src/cli/**", "src/systems/kubernetes/kubeconfigWorker.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "node:process", message: entryPoint },
            { name: "process", message: entryPoint },
          ],
        },
      ],
      "no-restricted-properties": [
        "error",
        ...["argv", "env", "exit", "exitCode"].map((property) => ({
          object: "process",
          property,
          message: entryPoint,
        })),
        { object: "globalThis", property: "process", message: entryPoint },
      ],
    },
  },
  {
    files: pureFiles,
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [
            {
              name: "node:crypto",
              importNames: ["randomBytes", "randomInt", "randomUUID"],
              message: "Pass the identity in.",
            },
          ],
        },
      ],
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: "Pass the time in." },
        { object: "Math", property: "random", message: "Pass the identity in." },
        { object: "globalThis", property: "process", message: entryPoint },
      ],
      "no-restricted-syntax": ["error", ...style, ...searchable, ...pure],
    },
  },
  { files: ["test/**/*.ts"], rules: { "max-lines-per-function": "off" } },
  {
    files: ["**/*.js", "**/*.cjs"],
    languageOptions: {
      globals: Object.fromEntries(
        ["process", "URL", "module", "SharedArrayBuffer", "Atomics"].map((name) => [name, "readonly"]),
      ),
    },
  },
);
