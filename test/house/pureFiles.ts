/**
 * Globs of the files that only compute: no clock, no randomness, no waiting, every branch covered by a test.
 *
 * A room's pure files are known by their names; a command of the same name lives in `cli/` and is not one of them.
 * Read by eslint.config.js and vitest.config.ts, so that the two cannot disagree.
 */
export const pureFiles: readonly string[] = [
  "src/document/**/*.ts",
  "src/catalogue/**/*.ts",
  "src/kubernetes/**/*.ts",
  "src/check/rules/**/*.ts",
  "src/promote/{dashboardIssue,intervention,timeline,verdict}/**/*.ts",
  "src/fleet/**/*.ts",
  "src/rehearsal/**/*.ts",
  "src/dashboard/picture/*.ts",
  "src/dashboard/fleet/{causes,clusters,filter,filteredFleet,matrix,regions}.ts",
  "src/sync/{install,plan}/**/*.ts",
  "src/sync/render/{base,decide,delivery,doubts,folders,input,marks,objects}.ts",
  "src/{check,build,smoke,fleet,dashboard}/{verdict,policy,plan,compile,matrix,soak,compare,references,prune}*.ts",
];
