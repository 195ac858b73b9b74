/** Commands that run node's own tests: `node --test`, the same with TypeScript loaded first, and borp, whose files are node's tests. */
import { expandGlob, matchesGlob } from '../../domain/glob.ts';
import { splitOptions, valuesOf, wordSet } from './options.ts';
import type { RunnerMatch } from './runner.ts';
import { asNode } from './typescript-loader.ts';
import { itemAt } from '../../domain/items.ts';

export function detectNodeTest(words: readonly string[]): RunnerMatch | null {
  const [program = '', ...rest] = words;
  if (/(^|\/)borp(\.js)?$/.test(program)) return { interpreterArgs: [], args: fromBorp(rest) };
  const node = rest.includes('--test') ? asNode(words) : null;
  return node === null ? null : { interpreterArgs: node.loader, args: withoutOwnOptions(node.words) };
}

export function splitNodeArguments(args: readonly string[]): { options: string[]; positional: string[] } {
  return splitOptions(args, WITH_VALUE);
}

/** With the modules that are loaded first: files in another language need them. */
export function nodeCommandFor({ interpreterArgs, args }: RunnerMatch): string {
  const { options } = splitNodeArguments(args);
  const loaded = options.filter((option, at) => LOADING.test(option) || (!option.startsWith('-') && LOADING.test(options[at - 1] ?? '')));
  return ['node', ...interpreterArgs, ...loaded, '--test'].join(' ');
}

const LOADING = /^(?:-r|--(?:import|require|loader|experimental-loader|conditions|env-file|experimental-[\w-]+)(?:=.*)?)$/;

/** What the arguments stand for in a tree; those with a `!` are taken away. */
export function nodeTargets(positional: readonly string[], paths: readonly string[]): string[] {
  const wanted = positional.filter((path) => !path.startsWith('!'));
  const left = positional.filter((path) => path.startsWith('!')).map((path) => path.slice(1));
  const found = wanted.flatMap((path) => expandGlob(path, paths)).filter((path) => !left.some((pattern) => matchesGlob(path, pattern)));
  return [...new Set(found)];
}

const WITH_VALUE = wordSet(
  '--import --require -r --loader --experimental-loader --env-file --env-file-if-exists -C --conditions',
  '--test-name-pattern --test-skip-pattern --test-concurrency --test-timeout --test-shard --test-isolation',
  '--disable-warning --stack-trace-limit --max-old-space-size --tsconfig',
);

const REPORTING = /^--(?:test-reporter(?:-destination)?|test-coverage-(?:include|exclude|lines|branches|functions))(=|$)/;
const DROPPED = /^--(?:test|watch|watch-path(?:=.*)?|watch-preserve-output|experimental-test-coverage|test-update-snapshots)$/;

/** Without options that would change where and how results are told. Coverage is not measured: of some files alone it says nothing. */
function withoutOwnOptions(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = itemAt(words, at);
    const told = REPORTING.exec(word);
    if (told !== null) at += told[1] === '=' ? 0 : 1;
    else if (!DROPPED.test(word)) kept.push(word);
  }
  return kept;
}

const BORP_VALUES = wordSet(
  '-p --pattern -c --concurrency -t --timeout -X --coverage-exclude -i --ignore -P --post-compile -r --reporter',
  '--lines --branches --functions --statements',
);

function fromBorp(words: readonly string[]): string[] {
  const { options, positional } = splitOptions(words, BORP_VALUES);
  const values = (names: readonly string[]): string[] => valuesOf(options, names);
  const files = positional.length > 0 ? positional : values(['-p', '--pattern']);
  const kept = [
    ...values(['-c', '--concurrency']).map((value) => `--test-concurrency=${value}`),
    ...values(['-t', '--timeout']).map((value) => `--test-timeout=${value}`),
    ...(options.includes('--expose-gc') ? ['--expose-gc'] : []),
  ];
  const targets = files.length > 0 ? files : ['**/*.test.{cjs,mjs,js}'];
  return [...kept, ...targets, ...values(['-i', '--ignore']).map((pattern) => `!${pattern}`)];
}
