/** Text from people and files reaches a prompt as data: fenced, labelled, and unable to end its fence. */

/** Tildes, and signs that look like them: a reader might take a row of those for the end. */
const BARS = /[~\u02dc\u2053\u223c\u301c\u3030\uff5e]+/g;

export function fence(label: string, text: string): string {
  let longest = 2;
  for (const match of text.matchAll(BARS)) longest = Math.max(longest, match[0].length);
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  const bar = '~'.repeat(longest + 1);
  return `${bar} data: ${label.replace(/[~\n\r\u2028\u2029]/g, ' ')}\n${text.slice(0, end)}\n${bar}`;
}
