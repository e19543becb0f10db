import { parseChannelName, parseModuleName, type ChannelName, type ModuleName } from "../../catalogue/names.ts";
import { parseVersion, type ModuleVersion } from "../../catalogue/version.ts";

/** A person's request by a tick in a box. */
export type TickedBox =
  /** Carry out the verdict on a module in a channel now. */
  | { readonly kind: "apply"; readonly channel: ChannelName; readonly module: ModuleName }
  /** Keep a version out of a channel. */
  | {
      readonly kind: "hold";
      readonly channel: ChannelName;
      readonly module: ModuleName;
      readonly version: ModuleVersion;
    };

/** A box to tick, in one line. `label` is Markdown. */
export function boxLine(wish: TickedBox, label: string): string {
  const version = wish.kind === "hold" ? ` ${wish.version}` : "";
  return `- [ ] <!-- ${wish.kind} ${wish.channel}/${wish.module}${version} -->${label}`;
}

/**
 * The boxes that a person ticked: those with a tick `after`, and without one `before`. Text around them does not
 * matter; a box with invalid names is ignored.
 */
export function tickedBoxes(before: string, after: string): readonly TickedBox[] {
  const open = new Set(boxesIn(before).flatMap(({ isTicked, name }) => (isTicked ? [] : [name])));
  const ticked = boxesIn(after).flatMap(({ isTicked, name }) => (isTicked && open.has(name) ? [name] : []));
  return [...new Set(ticked)].flatMap((name) => tickedWish(name) ?? []);
}

const BOX = /^[-*+] \[([ xX])\] <!-- ([^>\n]{1,300}) -->/gm;

function boxesIn(body: string): readonly { readonly isTicked: boolean; readonly name: string }[] {
  return [...body.matchAll(BOX)].map(([, mark, name = ""]) => ({ isTicked: mark !== " ", name }));
}

function tickedWish(name: string): TickedBox | undefined {
  const [, kind, place = "", subject = "", number] = /^(apply|hold) ([^/ ]+)\/([^/ ]+)(?: (\S+))?$/.exec(name) ?? [];
  const [channel, module] = [parseChannelName(place), parseModuleName(subject)];
  if (channel === undefined || module === undefined) return undefined;
  if (kind === "apply") return number === undefined ? { kind, channel, module } : undefined;
  const version = number === undefined ? undefined : parseVersion(number);
  return version && { kind: "hold", channel, module, version };
}
