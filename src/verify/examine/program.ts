/**
 * How the program is started and reached before the session: what an examiner who sees no code needs to write a test that runs. Facts of the base alone.
 */
import type { TreeStore } from '../../domain/tree.ts';
import { isTestPath } from '../checks/protected-paths.ts';
import { languageOf } from '../source/source.ts';

const MOST_FILES = 200;
const MOST_ROUTES = 40;
const LONGEST_VALUE = 1_000;
const MANIFEST_KEYS = ['bin', 'main', 'module', 'exports', 'type'] as const;

/** Lines; empty: nothing is known. */
export async function programFacts(trees: TreeStore, tree: string): Promise<string[]> {
  const text = async (path: string): Promise<string> => (await trees.read(tree, path))?.toString('utf8') ?? '';
  return [...manifestFacts(await text('package.json')), ...scriptFacts(await text('pyproject.toml')), ...(await routeFacts(trees, tree))];
}

function manifestFacts(text: string): string[] {
  const manifest = parse(text);
  const start = (manifest['scripts'] as Record<string, unknown> | undefined)?.['start'];
  return [
    ...MANIFEST_KEYS.filter((key) => manifest[key] !== undefined).map(
      (key) => `package.json ${key}: ${JSON.stringify(manifest[key]).slice(0, LONGEST_VALUE)}`,
    ),
    ...(typeof start === 'string' ? [`npm start runs: ${start.slice(0, LONGEST_VALUE)}`] : []),
  ];
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Commands of a Python package. */
function scriptFacts(text: string): string[] {
  const section = /^\[(?:project\.scripts|tool\.poetry\.scripts)\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.[1] ?? '';
  return section
    .split('\n')
    .filter((line) => /^\s*[\w"'-]+\s*=/.test(line))
    .slice(0, MOST_ROUTES)
    .map((line) => `pyproject.toml command: ${line.trim().slice(0, LONGEST_VALUE)}`);
}

const ROUTES = /[\w)]\.(get|post|put|patch|delete|route)\(\s*(['"`])(\/[^'"`\n]{0,100})\2/g;

async function routeFacts(trees: TreeStore, tree: string): Promise<string[]> {
  const sources = (await trees.list(tree)).filter(({ path }) => languageOf(path) !== null && !isTestPath(path)).slice(0, MOST_FILES);
  const routes = new Set<string>();
  for (const { oid, path } of sources) {
    const text = (await trees.readBlob(oid)).toString('utf8');
    for (const [, method = '', , route = ''] of text.matchAll(ROUTES))
      routes.add(`${method === 'route' ? 'ANY' : method.toUpperCase()} ${route} (${path})`);
    if (routes.size >= MOST_ROUTES) break;
  }
  return [...routes].slice(0, MOST_ROUTES).map((route) => `route: ${route}`);
}
