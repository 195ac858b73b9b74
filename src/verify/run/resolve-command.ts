/**
 * From the test command of the settings to the program behind it, so that the harness can start it itself.
 *
 * 1. Scripts come from the package.json of the tree that is run, whose protected parts are trusted.
 * 2. `a && b && runner` and npm's `pre` scripts become steps before the runner; any other shell syntax makes the command opaque.
 * 3. Opaque commands are run by a shell and believed by exit status, TAP or JUnit alone.
 */

export interface ResolvedCommand {
  /** As it stands in the settings. */
  text: string;
  /** Shell commands to run before, in order. */
  before: string[];
  /** Program and arguments behind all wrappers; null: opaque. */
  words: string[] | null;
  /** Assignments in front of the command. */
  env: Record<string, string>;
}

const MAX_DEPTH = 4;

export function resolveCommand(text: string, scripts: Readonly<Record<string, string>>): ResolvedCommand {
  return resolve(text, scripts, MAX_DEPTH) ?? { text, before: [], words: null, env: {} };
}

function resolve(text: string, scripts: Readonly<Record<string, string>>, depth: number): ResolvedCommand | null {
  const steps = splitSteps(text);
  if (steps === null || depth === 0) return null;
  const last = splitWords(steps.at(-1)!);
  if (last === null) return null;
  const { env, words } = stripWrappers(last);
  const before = steps.slice(0, -1);
  const script = scriptCall(words);
  if (script === null) return { text, before, words, env };
  const body = Object.hasOwn(scripts, script.name) ? scripts[script.name] : undefined;
  if (body === undefined) return null;
  const inner = resolve(body, scripts, depth - 1);
  if (inner === null || inner.words === null) return null;
  const pre = Object.hasOwn(scripts, `pre${script.name}`) ? [scripts[`pre${script.name}`]!] : [];
  return { text, before: [...before, ...pre, ...inner.before], words: [...inner.words, ...script.rest], env: { ...env, ...inner.env } };
}

function splitSteps(text: string): string[] | null {
  const steps = text.split('&&').map((step) => step.trim());
  return steps.some((step) => step === '') ? null : steps;
}

/** Words of one simple command; null when the shell would do more than split it. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (quote === '"' && (char === '$' || char === '`')) return null;
      else if (quote === '"' && char === '\\' && at + 1 < text.length) word += text[(at += 1)]!;
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

function stripWrappers(words: readonly string[]): { env: Record<string, string>; words: string[] } {
  const env: Record<string, string> = {};
  let rest = [...words];
  for (;;) {
    const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(rest[0] ?? '');
    if (assignment !== null && rest.length > 1) {
      env[assignment[1]!] = assignment[2]!;
      rest = rest.slice(1);
      continue;
    }
    const stripped = stripOne(rest);
    if (stripped === null) return { env, words: rest };
    rest = stripped;
  }
}

function stripOne(words: readonly string[]): string[] | null {
  const [first, second] = words;
  if ((first === 'env' || first === 'cross-env' || first === 'npx' || first === 'bunx') && second !== undefined) {
    const rest = words.slice(1);
    while (
      first !== 'env' &&
      (rest[0] === '--yes' || rest[0] === '-y' || rest[0] === '--no' || rest[0] === '--no-install' || rest[0] === '--')
    )
      rest.shift();
    return rest.length > 0 && !rest[0]!.startsWith('-') ? rest : null;
  }
  if (['poetry', 'uv', 'pipenv', 'pdm', 'hatch', 'rye'].includes(first ?? '') && second === 'run') return nonEmpty(words.slice(2));
  if (['pnpm', 'npm', 'yarn'].includes(first ?? '') && (second === 'exec' || second === 'dlx'))
    return nonEmpty(words.slice(words[2] === '--' ? 3 : 2));
  return null;
}

function nonEmpty(words: string[]): string[] | null {
  return words.length > 0 && !words[0]!.startsWith('-') ? words : null;
}

function scriptCall(words: readonly string[]): { name: string; rest: string[] } | null {
  const [manager, ...others] = words;
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager ?? '')) return null;
  const args = others.filter((word, index) => !(word.startsWith('--silent') || word === '-s' || (word === '--' && index > 0)));
  const name = args[0] === 't' || args[0] === 'tst' ? 'test' : args[0] === 'run' || args[0] === 'run-script' ? args[1] : args[0];
  if (name === undefined || name.startsWith('-')) return null;
  return { name, rest: args.slice(args[0] === 'run' || args[0] === 'run-script' ? 2 : 1) };
}
