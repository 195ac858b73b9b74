/** Options and positional arguments of a runner's command line. */
import { itemAt } from '../../domain/items.ts';

/** `withValue` names the options whose value is the next word. */
export function splitOptions(words: readonly string[], withValue: ReadonlySet<string>): { options: string[]; positional: string[] } {
  const options: string[] = [];
  const positional: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = itemAt(words, at);
    if (!word.startsWith('-')) positional.push(word);
    else if (withValue.has(word) && at + 1 < words.length) options.push(word, itemAt(words, (at += 1)));
    else options.push(word);
  }
  return { options, positional };
}

const COVERAGE = /^--(?:no-)?(?:coverage|collectCoverage)(?<more>[.A-Z][^=]*)?(?<value>=.*)?$/;
const COVERAGE_FLAGS =
  /^\.(?:enabled|all|clean|cleanOnRerun|skipFull|allowExternal|reportOnFailure|thresholds\.(?:100|perFile|autoUpdate))$/;

/** Without what Jest and Vitest are told about coverage: in the runs of a verdict it would say nothing, and its limits would fail them. */
export function withoutCoverage(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const found = COVERAGE.exec(itemAt(words, at))?.groups;
    if (found === undefined) kept.push(itemAt(words, at));
    else if (found['value'] === undefined && takesNext(found['more'], words[at + 1])) at += 1;
  }
  return kept;
}

function takesNext(more: string | undefined, next: string | undefined): boolean {
  if (next === undefined || next.startsWith('-')) return false;
  return more === undefined || COVERAGE_FLAGS.test(more) ? /^(?:true|false)$/.test(next) : true;
}

/** Without these options; `withValue` names those of them whose value is the next word, and that goes too. */
export function withoutOptions(words: readonly string[], dropped: RegExp, withValue: ReadonlySet<string>): string[] {
  return words.filter((word, at) => {
    const before = words[at - 1];
    const isValue = before !== undefined && withValue.has(before) && dropped.test(before) && !word.startsWith('-');
    return !dropped.test(word) && !isValue;
  });
}

/** What options of these names are given, as `--name value` or `--name=value`; options as `splitOptions` leaves them. */
export function valuesOf(options: readonly string[], names: readonly string[]): string[] {
  return options.flatMap((option, at) => {
    const equals = option.indexOf('=');
    const name = equals < 0 ? option : option.slice(0, equals);
    return names.includes(name) ? [equals < 0 ? (options[at + 1] ?? '') : option.slice(equals + 1)] : [];
  });
}

/** Words of texts, each once. */
export function wordSet(...texts: readonly string[]): Set<string> {
  return new Set(texts.join(' ').split(' '));
}
