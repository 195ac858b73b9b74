/** Options and positional arguments of a runner's command line. */

/** `withValue` names the options whose value is the next word. */
export function splitOptions(words: readonly string[], withValue: ReadonlySet<string>): { options: string[]; positional: string[] } {
  const options: string[] = [];
  const positional: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (!word.startsWith('-')) positional.push(word);
    else if (withValue.has(word) && at + 1 < words.length) options.push(word, words[(at += 1)]!);
    else options.push(word);
  }
  return { options, positional };
}

/** Words of texts, each once. */
export function wordSet(...texts: readonly string[]): Set<string> {
  return new Set(texts.join(' ').split(' '));
}
