/**
 * The marks by which the mirror finds its issues and comments again. They are comments of HTML: GitHub does not show them.
 *
 * 1. A mark stands on a line of its own. The first one of its kind counts.
 * 2. Names from outside are encoded, so that they can neither end the mark nor add to it.
 */
export interface IssueMark {
  project: string;
  feature: number;
  /** What the harness last made of the issue. */
  state: 'open' | 'closed';
}

const ISSUE_MARK = /^<!-- harness: project=(\S*) feature=(\d{1,15}) state=(open|closed) -->[ \t]*\r?$/m;

export function readIssueMark(body: string): IssueMark | null {
  const found = ISSUE_MARK.exec(body);
  if (found === null) return null;
  try {
    return { project: decodeURIComponent(found[1] ?? ''), feature: Number(found[2]), state: found[3] === 'closed' ? 'closed' : 'open' };
  } catch {
    return null;
  }
}

/** The body with this mark; the rest of it is left as it is. */
export function withIssueMark(body: string, mark: IssueMark): string {
  const line = `<!-- harness: project=${encodeURIComponent(mark.project)} feature=${mark.feature} state=${mark.state} -->`;
  if (ISSUE_MARK.test(body)) return body.replace(ISSUE_MARK, () => line);
  return `${body.trimEnd()}${body.trim() === '' ? '' : '\n\n'}${line}\n`;
}

export function withCommentMark(text: string, key: string): string {
  return `${text}\n\n${commentMark(key)}`;
}

export function hasCommentMark(body: string, key: string): boolean {
  return body.includes(commentMark(key));
}

function commentMark(key: string): string {
  return `<!-- harness: comment=${encodeURIComponent(key)} -->`;
}
