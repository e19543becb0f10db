// parseWithJsYaml.ts FOLDER: only parses every channel file, with js-yaml. A floor: no schema, no position, no check.
import { load } from "js-yaml";
import { parseAll } from "./parseAll.ts";

parseAll(process.argv[2] ?? "", load);
