/** The commands by which an agent can check its work, and what the verdict makes of each. Pure. */
import type { Config } from '../../config/schema.ts';
import type { Check } from '../../prompts/orientation.ts';
import { sanityCommands } from '../../verify/checks/check-sanity.ts';
import { scriptsOf } from '../../verify/run/command-sources.ts';
import type { Feature } from '../../domain/feature.ts';
import type { Baseline } from '../../domain/session.ts';
import { isTestFile } from '../../verify/checks/protected-paths.ts';
import { collectedFiles, testSideOf } from '../../verify/checks/test-side.ts';
import { languageOf } from '../../verify/source/source.ts';

export function checksOf(config: Pick<Config, 'testing' | 'quality'>, packageJson: string | null): Check[] {
  const { testing, quality } = config;
  const checks: Check[] = [{ name: 'whole suite', command: testing.full, verdict: 'refuses' }];
  const add = (check: Check): void => {
    const known = checks.find((one) => one.command === check.command);
    if (known === undefined) checks.push(check);
    else if (check.verdict === 'refuses') known.verdict = 'refuses';
  };
  if (quality.lint_command !== null) add({ name: 'lint', command: quality.lint_command, verdict: 'warns' });
  for (const { name, command } of sanityCommands(testing))
    add({ name, command, verdict: name === 'lint' && quality.warn_on_lint_errors ? 'warns' : 'refuses' });
  for (const [script, name] of SCRIPTS) {
    const text = scriptsOf(packageJson)[script];
    const command = `npm run ${script}`;
    if (text === undefined || checks.some((check) => check.name === name || check.command === text)) continue;
    add({ name, command, verdict: 'does not run it' });
  }
  return checks;
}

const SCRIPTS: readonly (readonly [string, string])[] = [
  ['lint', 'lint'],
  ['typecheck', 'type check'],
  ['type-check', 'type check'],
  ['check-types', 'type check'],
  ['build', 'build'],
];

/** Code that lies with the tests and holds none. Pure. */
export function testHelpers(paths: ReadonlySet<string>, feature: Feature | null, baseline: Baseline | null): string[] {
  const collected = collectedFiles({ feature, baseline });
  const isOfTests = testSideOf(collected);
  return [...paths].filter((path) => languageOf(path) !== null && !isTestFile(path) && !collected.has(path) && isOfTests(path));
}
