/** Breaks a line between words so that it fits; what it is indented by, its continuation is too. A word that is too long stays whole. */
export function wrap(text: string, width: number): string[] {
  const indent = /^ */.exec(text)![0];
  const lines: string[] = [''];
  for (const word of text.slice(indent.length).split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && indent.length + last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `${indent}${line}`);
}
