// The house: kubernetes/ imports document/, and catalogue/ imports both; reading/ imports these three and ports.ts. Rooms
// import these four and ports.ts, not one another. Only systems/ touches the outside, and only cli/compose/ imports systems/. Each rule has a tree in
// test/house/fixtures/imports that breaks it.
const rooms = "check|build|smoke|promote|sync|fleet|dashboard|rehearsal";
const shims = "^src/cli/[^/]+\\.js$";

// This lists the modules that only compute, instead of those that touch the outside: an unlisted package or part of Node
// then counts as outside.
const computing =
  "^(node:)?(assert|buffer|crypto|events|path|stream|string_decoder|url|util|zlib)(/|$)|node_modules/(ajv|croner|csv-parse|hono/dist/(types/)?helper/html|js-yaml|p-limit|semver|yaml)/";
// A command may also use the terminal and the shell that started it.
const commanding = `${computing}|^(node:)?(process|readline|tty)(/|$)|node_modules/(@commander-js/extra-typings|commander|listr2)/`;
const outside = ["core", "npm", "npm-dev", "npm-optional", "npm-peer", "npm-bundled", "npm-no-pkg", "npm-unknown"];

/** A rule that fails the run. */
const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    never("no-cycles", "Two files that need each other are one subject.", {}, { circular: true }),
    never(
      "no-orphans",
      "A file must import another file, or be imported by one.",
      { orphan: true, path: "^src/", pathNot: ["^src/cli/main\\.ts$", "^src/dashboard/islands/", "\\.d\\.ts$", shims] },
      {},
    ),
    never("no-missing-files", "The imported file does not exist.", { path: "^src/" }, { couldNotResolve: true }),
    never(
      "pure-rooms-import-only-one-another",
      "document/, catalogue/ and kubernetes/ compute on values, and do not import ports or their callers.",
      { path: "^src/(document|catalogue|kubernetes)/" },
      { path: "^src/", pathNot: "^src/(document|catalogue|kubernetes)/" },
    ),
    never(
      "ground-rooms-import-in-order",
      "document/ imports no other room, and kubernetes/ does not import catalogue/: no cycle between the three.",
      { path: "^src/(document|kubernetes)/" },
      { path: "^src/(kubernetes|catalogue)/", pathNot: "^src/$1/" },
    ),
    never(
      "ports-name-only-pure-types",
      "ports.ts describes access to the outside with types of the pure rooms, and runs none of their code.",
      { path: "^src/(ports|cluster|controller|forge|run)\\.ts$" },
      { path: "^src/", pathNot: "^src/((document|catalogue|kubernetes)/|(ports|cluster|controller|forge|run)\\.ts$)" },
    ),
    never(
      "ports-run-nothing",
      "ports.ts describes access to the outside with types of the pure rooms, and runs none of their code.",
      { path: "^src/ports\\.ts$" },
      { path: "^src/", pathNot: "^src/run\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    never(
      "reading-imports-only-the-ground",
      "reading/ reads through ports what several rooms need, and decides nothing.",
      { path: "^src/reading/" },
      {
        path: "^src/",
        pathNot: "^src/((document|catalogue|kubernetes|reading)/|(ports|cluster|controller|forge|run)\\.ts$)",
      },
    ),
    never(
      "rooms-do-not-import-one-another",
      "cli/ passes the results of one room to another, as values.",
      { path: `^src/(${rooms})/`, pathNot: "^src/(promote|sync|dashboard)/" },
      { path: `^src/(${rooms})/`, pathNot: "^src/$1/" },
    ),
    never(
      "promote-and-sync-import-only-fleet",
      "Promotion and sync import only fleet, which reads the state of versions on clusters.",
      { path: "^src/(promote|sync)/" },
      { path: `^src/(${rooms})/`, pathNot: "^src/($1|fleet)/" },
    ),
    never(
      "dashboard-imports-promote-sync-fleet",
      "The pages show values of these three rooms only.",
      { path: "^src/dashboard/" },
      { path: `^src/(${rooms})/`, pathNot: "^src/(dashboard|promote|sync|fleet)/" },
    ),
    never(
      "only-the-demo-imports-rehearsal",
      "A rehearsal of lifecycle-manager must not be mistaken for the real one: only the demo loads it.",
      { path: "^src/", pathNot: "^src/(rehearsal|cli/demo)/" },
      { path: "^src/(rehearsal/|cli/demo/(?!demo\\.ts$))" },
    ),
    never(
      "systems-import-no-room",
      "A system implements a port. The decisions are made elsewhere.",
      { path: "^src/systems/" },
      { path: `^src/(${rooms}|reading)/` },
    ),
    never(
      "only-systems-touch-the-outside",
      "Files, processes, the network and packages that use them belong behind a port.",
      { path: "^src/", pathNot: ["^src/systems/", "^src/cli/"] },
      { dependencyTypes: outside, pathNot: computing },
    ),
    never(
      "commands-touch-only-the-terminal",
      "A command reaches the outside through the ports that compose.ts passes to it.",
      { path: "^src/cli/", pathNot: shims },
      { dependencyTypes: outside, pathNot: commanding },
    ),
    never(
      "only-compose-imports-systems",
      "All other code uses the port.",
      { path: "^src/", pathNot: ["^src/systems/", "^src/cli/compose/"] },
      { path: "^src/systems/" },
    ),
    never("only-the-cli-imports-itself", "The program starts there.", { pathNot: "^src/cli/" }, { path: "^src/cli/" }),
    never("src-needs-no-tests", "Tests are not packed.", { path: "^src/" }, { path: "^test/" }),
    never(
      "only-declared-packages",
      "An installation of the package contains its dependencies, but no development dependencies.",
      { path: "^src/" },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    // Some packages only have an entry for ES modules.
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
    exclude: { path: "(^|/)schemas/|package\\.json$" },
  },
};
