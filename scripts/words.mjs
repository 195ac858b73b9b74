// `npm run words`: the texts whose translation follows an older English one. words/translated.json holds, for each text, a hash of the English
// that was translated: one for all languages, or one a language where they differ.
//
//   npm run words                                            what is stale; exit 1 if anything is
//   npm run words -- --done de workflow.mode.question        a translation follows the English text of now (all keys below a name at once)
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { textsOf } from './docs/words.mjs';

export const LANGUAGES = ['de', 'es', 'ja', 'ko', 'zh'];

/** Which of the English `texts` each language has translated in an older version. */
export function staleTexts(texts, translated) {
  return texts.flatMap(([place, text]) =>
    LANGUAGES.filter((language) => followed(translated[place])[language] !== hashOf(text)).map((language) => `${language} ${place}`),
  );
}

/** `translated` with what `language` now follows at `name` and below, for the `texts` that exist. */
export function withDone(texts, translated, language, name) {
  return Object.fromEntries(
    texts.map(([place, text]) => {
      const before = followed(translated[place]);
      const after = place === name || place.startsWith(`${name}.`) || name === '' ? { ...before, [language]: hashOf(text) } : before;
      const all = new Set(LANGUAGES.map((one) => after[one]));
      return [place, all.size === 1 && !all.has(undefined) ? after[language] : after];
    }),
  );
}

function followed(entry) {
  return typeof entry === 'string' ? Object.fromEntries(LANGUAGES.map((language) => [language, entry])) : (entry ?? {});
}

function hashOf(text) {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 8);
}

function main([flag, language, name]) {
  const path = (file) => fileURLToPath(new URL(`../words/${file}`, import.meta.url));
  const read = (file) => JSON.parse(readFileSync(path(file), 'utf8'));
  const texts = textsOf({ ...read('en.json'), live: read('live/en.json') });
  if (flag === '--done' && LANGUAGES.includes(language) && name !== undefined) {
    writeFileSync(path('translated.json'), `${JSON.stringify(withDone(texts, read('translated.json'), language, name), null, 2)}\n`);
    return 0;
  }
  if (flag !== undefined) {
    console.error('Usage: npm run words -- [--done LANGUAGE NAME]');
    return 2;
  }
  const stale = staleTexts(texts, read('translated.json'));
  console.log(stale.length === 0 ? `All ${texts.length} texts are translated as they are now.` : stale.join('\n'));
  return stale.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
