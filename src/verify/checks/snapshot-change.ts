/** Stored snapshots of vitest, jest and tap: what a change of such a file amounts to. */

/** Everything that was stored is there as it was, each name once, and nothing but values stands there. */
export function snapshotOnlyAdds(change: { before: string | null; after: string | null }): boolean {
  const split = (text: string | null): string[] => (text ?? '').split(/\n(?=exports\[)/).map((part) => part.trim());
  const parts = split(change.after).filter((part, index) => !(index === 0 && HEAD.test(part)));
  const keys = parts.map((part) => SNAPSHOT.exec(part)?.[1]);
  const now = new Set(parts);
  return (
    change.after !== null &&
    keys.every((key) => key !== undefined) &&
    new Set(keys).size === keys.length &&
    split(change.before).every((part, index) => (index === 0 && HEAD.test(part)) || now.has(part))
  );
}

/** Comments and a directive. */
const HEAD = /^(?:\/\/[^\n]*\s*|\/\*(?:[^*]|\*(?!\/))*\*\/\s*)*(?:'use strict';?)?$/;

/** One stored value and nothing else: the file is run as code, and the last value of a name is the one that counts. */
const SNAPSHOT = /^exports\[(`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*`)\]\s*=\s*`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*`;?$/;
