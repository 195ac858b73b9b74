/** A version of a test file that cannot pass wherever it is run or compiled. Pure. */

/** null for files that nobody runs: data, prose, pictures. `word`: something that no file holds. */
export function brokenVersion(path: string, text: string, word: string): string | null {
  const ending = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (DATA.test(ending)) return null;
  const made = WAYS.find(([endings]) => endings.test(ending));
  if (made !== undefined) return made[1](text, word);
  return text.startsWith('#!') ? afterFirstLine(text, 'exit 1') : `${text}\n%% ${word} is no statement of any language %%\n`;
}

const DATA = /^(?:json|ya?ml|toml|xml|csv|tsv|txt|md|rst|html?|snap|png|jpe?g|gif|svg|pdf|zip|gz)$/;

const WAYS: readonly (readonly [RegExp, (text: string, word: string) => string])[] = [
  [/^[cm]?[jt]sx?$/, (text, word) => `${text}\nthrow new Error('${word}');\n`],
  [/^py$/, (text, word) => `${text}\nraise RuntimeError('${word}')\n`],
  [/^rb$/, (text, word) => `${text}\nraise '${word}'\n`],
  [/^(?:pl|t)$/, (text, word) => afterFirstLine(text, `die '${word}';`)],
  [/^(?:sh|bash|zsh|ksh|bats)$/, (text) => afterFirstLine(text, 'exit 1')],
];

/** Behind a line that names the interpreter, else at the beginning. */
function afterFirstLine(text: string, line: string): string {
  const first = /^#![^\n]*\n?/.exec(text)?.[0] ?? '';
  return `${first}${first === '' || first.endsWith('\n') ? '' : '\n'}${line}\n${text.slice(first.length)}`;
}
