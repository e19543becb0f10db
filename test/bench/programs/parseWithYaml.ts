// parseWithYaml.ts FOLDER: only parses every channel file, with yaml. A floor: no schema, no check.
import { parse } from "yaml";
import { parseAll } from "./parseAll.ts";

parseAll(process.argv[2] ?? "", (text) => parse(text) as unknown);
