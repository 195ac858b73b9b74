/** Text from people and files reaches a prompt as data: fenced, labelled, and unable to end its fence. */

export function fence(label: string, text: string): string {
  let longest = 2;
  for (const match of text.matchAll(/~+/g)) longest = Math.max(longest, match[0].length);
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  const bar = '~'.repeat(longest + 1);
  return `${bar} data: ${label.replace(/[~\n\r\u2028\u2029]/g, ' ')}\n${text.slice(0, end)}\n${bar}`;
}
