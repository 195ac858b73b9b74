/** Files that a runner's configuration names as parts of the run: set-up, transforms, reporters, environments. They decide as much as it does. */
import { posix } from 'node:path';
import { filesOfRunners } from '../runners/registry.ts';
import { isRecord } from '../runners/results.ts';
import { parseStrictJson } from '../strict-json.ts';
import { allGroups, groupOf } from '../../domain/text-parts.ts';

const KEYS =
  /["']?\b(?:setupFiles\w*|globalSetup|globalTeardown|transform|resolver|runner|testRunner|reporters?|preset|testEnvironment|environment|snapshotSerializers|testSequencer|testResultsProcessor|dependencyExtractor|plugins|presets|extends|projects|workspace|snapshotResolver|require|import|file|spec|pytest_plugins|addopts)["']?\s*[:=]\s*(\[[^\]]*\]|\{[^}]*\}|(['"`])(?:(?!\2).)*\2|[^\n,]+)/g;
const IMPORTS = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g;
/** What coverage is told of is the product, and no part of the run. */
const MEASURED = /--cov(?:erage)?(?:=|\s+)[\w./-]+/g;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.json', '.py', '/index.js', '/index.ts'];

/** Paths of the tree that the text of the configuration at `path` names. */
export function referencedFiles(path: string, source: string, paths: ReadonlySet<string>): string[] {
  const text = posix.basename(path) === 'package.json' ? sectionsOf(source) : source;
  const words = [...text.matchAll(KEYS)].flatMap((match) =>
    [
      ...groupOf(match, 1)
        .replace(MEASURED, ' ')
        .matchAll(/[\w@./<>-]+/g),
    ].map((word) => word[0]),
  );
  const imports = allGroups(text, IMPORTS, 2);
  const found = new Set<string>();
  for (const word of [...words, ...imports]) {
    const plain = word.replace(/^<rootDir>\//, '').replace(/^\/+/, '');
    if (plain.startsWith('node_modules/')) continue;
    const dotted = /^[\w.]+$/.test(plain) && /\.(?:py|ini|toml|cfg)$/.test(path) ? [plain.replaceAll('.', '/')] : [];
    for (const base of [posix.join(posix.dirname(path), plain), posix.normalize(plain), ...dotted])
      for (const ending of ENDINGS) if (paths.has(`${base}${ending}`)) found.add(`${base}${ending}`);
  }
  return [...found];
}

/** Of a package.json only what configures a runner. */
function sectionsOf(text: string): string {
  const parsed = parseStrictJson(text);
  const value = 'value' in parsed && isRecord(parsed.value) ? parsed.value : {};
  return JSON.stringify(
    [...filesOfRunners('manifestKeys'), 'mocha', 'ava', 'babel'].map((key) => value[key] ?? null),
    null,
    1,
  );
}
