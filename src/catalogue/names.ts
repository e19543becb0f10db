declare const brand: unique symbol;

/** A module's name: segments of three or more lower-case letters joined by "-", at most 64 characters. */
export type ModuleName = string & { readonly [brand]: "ModuleName" };
/** A release channel's name: 3 to 32 lower-case letters, not `none`. */
export type ChannelName = string & { readonly [brand]: "ChannelName" };
/** A landscape's name in `kyma-modules.yaml`: a DNS label. */
export type LandscapeName = string & { readonly [brand]: "LandscapeName" };

/**
 * The name that stands for every mandatory channel in the keys of records, and that such a channel has by default. So a
 * release channel must not have it.
 */
export const MANDATORY = "mandatory";

/** Reads a module's name; `undefined` when lifecycle-manager's CRDs would refuse it. */
export function parseModuleName(text: string): ModuleName | undefined {
  return text.length <= 64 && /^[a-z]{3,}(-[a-z]{3,})*$/.test(text) ? (text as ModuleName) : undefined;
}

/** Reads a channel's name; `undefined` when the CRDs would refuse it, and for `none`, which lifecycle-manager reserves. */
export function parseChannelName(text: string): ChannelName | undefined {
  return /^[a-z]{3,32}$/.test(text) && text !== "none" ? (text as ChannelName) : undefined;
}

/** Reads a landscape's name; `undefined` when it is not a DNS label. */
export function parseLandscapeName(text: string): LandscapeName | undefined {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text) ? (text as LandscapeName) : undefined;
}

/** The rule for a module's name, for messages. */
export const MODULE_NAME_RULE = 'segments of three or more lower-case letters joined by "-", at most 64 characters';
/** The rule for a channel's name, for messages. */
export const CHANNEL_NAME_RULE = "3 to 32 lower-case letters, and not the reserved word none";
