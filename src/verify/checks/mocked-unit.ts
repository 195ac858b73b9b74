/** Whether a test puts a mock in the place of the very thing it claims to test. A question: there are honest partial mocks. */
import { posix } from 'node:path';
import { javascriptImports, pythonImports } from '../source/imports.ts';
import { languageOf } from '../source/mask.ts';

/** The files among `changed` that the test at `path` replaces. */
export function mockedUnits(text: string, path: string, changed: ReadonlySet<string>): string[] {
  const language = languageOf(path);
  if (language === 'javascript') return mockedModules(text, path, changed);
  return language === 'python' ? patchedNames(text, path, changed) : [];
}

/** A neighbour may be mocked; where nothing of what was changed is left as it is, the test looks at mocks alone. */
function mockedModules(text: string, path: string, changed: ReadonlySet<string>): string[] {
  if (/\b(?:requireActual|importActual|importOriginal)\b/.test(text)) return [];
  const calls = [
    ...text.matchAll(/\b(?:jest|vi|mock)\.(?:mock|doMock|unstable_mockModule|module)\(\s*(?:import\(\s*)?(['"`])(\.{1,2}\/[^'"`\n]+)\1/g),
  ];
  const mocked = new Set(calls.flatMap((match) => javascriptImports(`import '${match[2]!}'`, path, changed)));
  const real = javascriptImports(text, path, changed).filter((file) => !mocked.has(file));
  return real.length > 0 ? [] : [...mocked];
}

/** A name that the test calls itself, replaced in the module it comes from. */
function patchedNames(text: string, path: string, changed: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/\b(?:patch|setattr)\(\s*(['"])([\w.]+)\.(\w+)\1/g)) {
    const [module, name] = [match[2]!, match[3]!];
    const files = pythonImports(`import ${module}`, path, changed).filter(
      (file) => posix.basename(file, '.py') === module.split('.').at(-1) || file.endsWith('/__init__.py'),
    );
    if (files.length > 0 && new RegExp(`(?:\\bassert\\b|=)[^\\n]{0,2000}\\b${name}\\(`).test(text)) found.push(...files);
  }
  return found;
}
