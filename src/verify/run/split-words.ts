/** The words of a shell command, as far as a shell would do no more than split it. */

/** Words of one simple command; null when the shell would do more than split it. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (quote === '"' && (char === '$' || char === '`')) return null;
      else if (quote === '"' && char === '\\' && at + 1 < text.length) word += text.charAt((at += 1));
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if ('|;&<>$`()!'.includes(char) || (char === '#' && word === null)) return null;
    else if (char === '\\') word = (word ?? '') + (text[(at += 1)] ?? '');
    else word = (word ?? '') + char;
  }
  if (quote !== '') return null;
  if (word !== null) words.push(word);
  return words.length === 0 ? null : words;
}

/** The commands between `&&`, outside of quotes; null where one of them is empty. */
export function splitSteps(text: string): string[] | null {
  const steps: string[] = [];
  let step = '';
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === '' && text.startsWith('&&', at)) {
      steps.push(step.trim());
      step = '';
      at += 1;
      continue;
    }
    if (char === '\\' && quote !== "'") step += text.charAt(at++);
    else if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    step += text[at] ?? '';
  }
  steps.push(step.trim());
  return steps.some((one) => one === '') ? null : steps;
}
