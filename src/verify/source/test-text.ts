/** Titles in a test file's text. */

/** Titles of the tests in a text, as far as they are literal. */
export function titlesOf(text: string): string[] {
  const titles = [...text.matchAll(/\b(?:test|it)(?:\.\w+)*\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g)].map((match) => match[2]!);
  return [...titles, ...[...text.matchAll(/^[ \t]*(?:async[ \t]+)?def (test_\w+)/gm)].map((match) => match[1]!)];
}
