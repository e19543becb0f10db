import { MAX_FILE_BYTES } from "../../../document/snapshot.ts";
import { LINKED, MODULE, MODULE_TEXT } from "../../example.ts";
import type { Rule } from "../../rule.ts";
import { readingRules } from "../reading.ts";

/** Rules about files: they can be read, are in the right place, and match their schema. */
export const FILE_RULES: readonly Rule[] = readingRules("file", [
  {
    id: "file-encoding",
    demand: "A file is encoded in UTF-8.",
    rationale: "Readers have to guess other encodings, and guess differently.",
    source: "YAML 1.2.2, https://yaml.org/spec/1.2.2/",
    bad: {
      change: { [MODULE]: { kind: "bytes", bytes: Buffer.from(`${LINKED}# caf\xE9\n`, "latin1") } },
      at: { file: MODULE, line: "# caf" },
    },
    good: { change: { [MODULE]: `${LINKED}# café\n` } },
  },
  {
    id: "file-name",
    demand: "The name of a file is UTF-8.",
    rationale:
      "Git keeps any bytes as a name. Programs replace those that are not UTF-8 in different ways: one does not find the file, and another reads two files as one.",
    source: "https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath",
    bad: {
      change: { "modules/caf\udce9/module.yaml": MODULE_TEXT },
      at: { file: "modules/caf\udce9/module.yaml", line: "" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "file-size",
    demand: "A file fits into a control plane.",
    rationale: "etcd refuses objects over about 1.5 MB: a larger template could be merged, but never applied.",
    source: "etcd, https://etcd.io/docs/latest/dev-guide/limit/",
    bad: { change: { [MODULE]: { kind: "too-large", size: 2 * MAX_FILE_BYTES } }, at: { file: MODULE, line: "" } },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "file-link",
    demand: "A symbolic link points to a file of the repository.",
    rationale: "Other targets differ between machines, and may be a secret of the machine that runs the check.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: { change: { [MODULE]: { kind: "bad-link", target: "/etc/passwd" } }, at: { file: MODULE, line: "" } },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "stray-file",
    severity: "warning",
    demand: "A file is in a place where it is read.",
    rationale:
      "A template in a wrong folder, or named .yml, looks as if the channel served it, but is ignored. A hold or a hot-fix in a file of another name has no effect, and is an error.",
    source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
    bad: {
      change: { "channels/fast/sample.yml": "format: 1\n" },
      at: { file: "channels/fast/sample.yml", line: "format" },
    },
    good: { change: {} },
  },
  {
    id: "format-newer",
    demand: "A file is in a format that this version of kyma-modules reads.",
    rationale:
      "A newer format may give the same keys another meaning: an older program could serve something that was never intended. No other rule judges such a file.",
    source: "schemas/*.schema.json",
    bad: {
      change: { [MODULE]: LINKED.replace("format: 1", "format: 2") },
      at: { file: MODULE, line: "format:" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
  {
    id: "schema",
    demand: "A file contains only what its schema allows.",
    rationale:
      "An unknown key is usually misspelled, and would silently have no effect. The API server would refuse such a ModuleTemplate after the merge.",
    source: "schemas/*.schema.json",
    bad: {
      change: { [MODULE]: `${LINKED}owner: "@sample/team"\n` },
      at: { file: MODULE, line: "owner:" },
    },
    good: { change: { [MODULE]: LINKED } },
  },
]);
