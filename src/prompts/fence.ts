/** Text from people and files reaches a prompt as data: fenced, labelled, and unable to end its fence. */

export function fence(label: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/~+/g)].map((match) => match[0].length));
  const bar = '~'.repeat(longest + 1);
  return `${bar} data: ${label.replace(/[~\n]/g, ' ')}\n${text.replace(/\n+$/, '')}\n${bar}`;
}
