import { describe, expect, it } from "vitest";
import {
  BUMP,
  bumpTemplate,
  edit,
  FAST,
  FAST_POLICY,
  REGULAR,
  SETTINGS,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { MANDATORY, MUST } from "../../../../src/check/rules/channel/kind.ts";
import { templateInfo } from "../../../../src/check/rules/template/info.ts";
import { templateLinks } from "../../../../src/check/rules/template/links.ts";
import { templateManager } from "../../../../src/check/rules/template/manager.ts";
import { templateMandatory } from "../../../../src/check/rules/template/mandatory.ts";
import { templateName } from "../../../../src/check/rules/template/name.ts";
import { templateNamespace } from "../../../../src/check/rules/template/namespace.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const CHANNELLESS = edit(templateText("fast", "1.2.0"), "  channel: fast\n", "");

describe("the name of a template", () => {
  it("is judged outside of a catalogue, by module and version where it has no channel", async () => {
    expect(said(templateName, await contextOf({ loose: true, change: { "a.yaml": CHANNELLESS } }))).toEqual([
      mentions("a.yaml:4 error", "metadata.name", "sample-fast", "sample-1.2.0"),
    ]);
  });

  it("is decided by the path of the file in a catalogue", async () => {
    const text = edit(CHANNELLESS, "sample-fast", "sample-1.2.0");
    const change = { ...BUMP, "modules/sample/1.2.0/template.yaml": text };
    expect(said(templateName, await contextOf({ change }))).toEqual([]);
  });
});

describe("the namespace of a template", () => {
  it("is kcp-system where no landscape names another, and not missing", async () => {
    expect(said(templateNamespace, await wholeContext({ [SETTINGS]: "format: 1\nlandscapes: []\n" }))).toEqual([]);
    const missing = bumpTemplate("  namespace: kcp-system\n", "");
    expect(said(templateNamespace, await contextOf({ change: missing }))).toEqual([
      mentions(`${FAST}:3 warning`, "metadata.namespace", "missing"),
    ]);
  });
});

it("outside of a catalogue, namespace, info and manager of a template are notes", async () => {
  const bare = templateText("fast", "1.2.0")
    .replace("  namespace: kcp-system\n", "")
    .replace(/^ {2}(?:info|manager):\n(?: {4}.*\n)+/gm, "");
  const context = await contextOf({ loose: true, change: { "a.yaml": bare } });

  for (const rule of [templateNamespace, templateInfo, templateManager])
    expect(said(rule, context)).toEqual([expect.stringMatching(/^a\.yaml:\d+ note /)]);
});

describe("the links of a template", () => {
  const linked = (from: string, to: string): ExampleFiles => bumpTemplate(from, to);

  it("are those of icons and resources, too", async () => {
    const icons = linked("  manager:", "    icons: [{ name: main, link: ftp://sample.example.com }]\n  manager:");
    expect(said(templateLinks, await contextOf({ change: icons }))).toEqual([
      mentions(`${FAST}:15 error`, "spec.info.icons.0.link", "https", "ftp://sample.example.com"),
    ]);
    const resource = linked("link: https:", "link: http:");
    expect(said(templateLinks, await contextOf({ change: resource }))).toHaveLength(1);
  });

  it("are reported as missing by another rule", async () => {
    const change = linked("repository: https://github.com/sample/sample", 'repository: ""');
    expect(said(templateLinks, await contextOf({ change }))).toEqual([]);
    expect(said(templateInfo, await contextOf({ change }))).toEqual([
      mentions(`${FAST}:12 warning`, "spec.info", "no repository"),
    ]);
  });
});

describe("a template that says it is mandatory", () => {
  const mandatory = (channel: string, version: string): string =>
    edit(templateText(channel, version), "  moduleName", "  mandatory: true\n  moduleName");

  it("is refused in a release channel", async () => {
    expect(said(templateMandatory, await contextOf({ change: { [FAST]: mandatory("fast", "1.2.0") } }))).toEqual([
      mentions(`${FAST}:10 error`, "fast", "release channel", "sample", "mandatory"),
    ]);
    expect(said(templateMandatory, await wholeContext({ [REGULAR]: mandatory("regular", "1.0.0") }))).toHaveLength(1);
    expect(
      said(
        templateMandatory,
        await contextOf({ change: bumpTemplate("  moduleName", "  mandatory: false\n  moduleName") }),
      ),
    ).toEqual([]);
  });

  it("is taken in a mandatory channel, outside of channels, and outside of a catalogue", async () => {
    const must = { ...MANDATORY, [MUST]: mandatory("must", "1.1.0") };
    expect(said(templateMandatory, await wholeContext(must))).toEqual([]);
    const version = edit(edit(mandatory("fast", "1.3.0"), "  channel: fast\n", ""), "sample-fast", "sample-1.3.0");
    expect(
      said(templateMandatory, await contextOf({ change: { "modules/sample/1.3.0/template.yaml": version } })),
    ).toEqual([]);
    const loose = { loose: true, change: { "a.yaml": mandatory("fast", "1.2.0") } } as const;
    expect(said(templateMandatory, await contextOf(loose))).toEqual([]);
  });

  it("is judged by the kind that the change gives the channel", async () => {
    const policy = { [FAST_POLICY]: "format: 1\nkind: mandatory\nlandscapes: [dev]\n", [REGULAR]: undefined };
    const change = { ...policy, [FAST]: mandatory("fast", "1.2.0") };
    expect(said(templateMandatory, await contextOf({ change }))).toEqual([]);
  });
});
