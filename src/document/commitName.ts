/** Whether a text is the full name of a commit, which never changes its meaning. */
export function isCommitName(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}
