// The house: document/ is the ground, kubernetes/ stands on it, and catalogue/ on both; rooms see these and ports.ts, not
// one another; only systems/ touches the outside; only cli/compose/ knows systems/. Each rule has a tree in test/house/fixtures/imports that breaks it.
const rooms = "check|build|smoke|promote|sync|fleet|dashboard|rehearsal";
const shims = "^src/cli/[^/]+\\.js$";

// What only computes is listed, instead of what touches the outside: a package or a part of Node that nobody thought
// of is then outside until somebody has thought of it.
const computing =
  "^(node:)?(assert|buffer|crypto|events|path|stream|string_decoder|url|util|zlib)(/|$)|node_modules/(ajv|croner|csv-parse|hono/dist/(types/)?helper/html|js-yaml|semver|yaml)/";
// A command also speaks to the terminal and to the shell that started it.
const commanding = `${computing}|^(node:)?(process|readline|tty)(/|$)|node_modules/(@commander-js/extra-typings|commander|listr2)/`;
const outside = ["core", "npm", "npm-dev", "npm-optional", "npm-peer", "npm-bundled", "npm-no-pkg", "npm-unknown"];

/** A rule that fails the run. */
const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    never("no-cycles", "Two files that need each other are one subject.", {}, { circular: true }),
    never(
      "no-orphans",
      "Nothing imports it, and it imports nothing.",
      { orphan: true, path: "^src/", pathNot: ["^src/cli/main\\.ts$", "^src/dashboard/islands/", "\\.d\\.ts$", shims] },
      {},
    ),
    never("no-missing-files", "The import leads nowhere.", { path: "^src/" }, { couldNotResolve: true }),
    never(
      "pure-rooms-see-nobody",
      "document/, catalogue/ and kubernetes/ compute on values; they know neither the ports nor who calls them.",
      { path: "^src/(document|catalogue|kubernetes)/" },
      { path: "^src/", pathNot: "^src/(document|catalogue|kubernetes)/" },
    ),
    never(
      "the-ground-rooms-stand-in-order",
      "document/ knows no other room, and kubernetes/ knows no catalogue: no circle between the three.",
      { path: "^src/(document|kubernetes)/" },
      { path: "^src/(kubernetes|catalogue)/", pathNot: "^src/$1/" },
    ),
    never(
      "ports-name-only-pure-types",
      "ports.ts says what we ask of the world in words of the pure rooms, and runs none of their code.",
      { path: "^src/(ports|cluster|controller|forge|run)\\.ts$" },
      { path: "^src/", pathNot: "^src/((document|catalogue|kubernetes)/|(ports|cluster|controller|forge|run)\\.ts$)" },
    ),
    never(
      "ports-run-nothing",
      "ports.ts says what we ask of the world in words of the pure rooms, and runs none of their code.",
      { path: "^src/ports\\.ts$" },
      { path: "^src/", pathNot: "^src/run\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    never(
      "rooms-do-not-see-one-another",
      "What one room finds reaches another as a value, through cli/.",
      { path: `^src/(${rooms})/`, pathNot: "^src/(promote|sync|dashboard)/" },
      { path: `^src/(${rooms})/`, pathNot: "^src/$1/" },
    ),
    never(
      "promote-and-sync-see-only-fleet",
      "Promotion and sync read what became of a version, and no other room.",
      { path: "^src/(promote|sync)/" },
      { path: `^src/(${rooms})/`, pathNot: "^src/($1|fleet)/" },
    ),
    never(
      "dashboard-sees-promote-sync-fleet",
      "The page shows the values of three rooms, and no other.",
      { path: "^src/dashboard/" },
      { path: `^src/(${rooms})/`, pathNot: "^src/(dashboard|promote|sync|fleet)/" },
    ),
    never(
      "only-the-demo-rehearses",
      "A rehearsal of lifecycle-manager is never taken for the real one: the demo loads it, and nothing else.",
      { path: "^src/", pathNot: "^src/(rehearsal|cli/demo)/" },
      { path: "^src/(rehearsal/|cli/demo/(?!demo\\.ts$))" },
    ),
    never(
      "systems-see-no-room",
      "A system serves a port; what it is asked for is decided elsewhere.",
      { path: "^src/systems/" },
      { path: `^src/(${rooms})/` },
    ),
    never(
      "only-systems-touch-the-outside",
      "Files, processes, the network and packages that use them belong behind a port.",
      { path: "^src/", pathNot: ["^src/systems/", "^src/cli/"] },
      { dependencyTypes: outside, pathNot: computing },
    ),
    never(
      "commands-touch-only-the-terminal",
      "A command asks the world through the ports that compose.ts gives it.",
      { path: "^src/cli/", pathNot: shims },
      { dependencyTypes: outside, pathNot: commanding },
    ),
    never(
      "only-compose-knows-systems",
      "Everybody else knows the port.",
      { path: "^src/", pathNot: ["^src/systems/", "^src/cli/compose/"] },
      { path: "^src/systems/" },
    ),
    never("nobody-imports-the-cli", "The program starts there.", { pathNot: "^src/cli/" }, { path: "^src/cli/" }),
    never("src-needs-no-tests", "Tests are not packed.", { path: "^src/" }, { path: "^test/" }),
    never(
      "only-declared-packages",
      "Whoever installs the package gets the dependencies of package.json, and no development ones.",
      { path: "^src/" },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    // Some packages have no entry but the one for modules.
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
    exclude: { path: "(^|/)schemas/|package\\.json$" },
  },
};
