/** The commands by which an agent can check its work, and what the verdict makes of each. */
import type { Config } from '../../config/schema.ts';
import type { Check } from '../../prompts/orientation.ts';
import { sanityCommands } from '../../verify/checks/check-sanity.ts';
import { commandSources, repairScript, scriptsOf } from '../../verify/run/command-sources.ts';
import { chooseCommand } from '../../verify/run/test-command.ts';
import type { Place } from '../place.ts';

/** The checks that the test command itself runs before the tests. */
export async function suiteSteps({ trees, config }: Pick<Place, 'trees' | 'config'>, tree: string): Promise<readonly string[]> {
  const { full, report } = config.testing;
  return chooseCommand(full, report, await commandSources(trees, tree, [full])).resolved.checks;
}

/** `steps`: see `suiteSteps`. */
export function checksOf(config: Pick<Config, 'testing' | 'quality'>, packageJson: string | null, steps: readonly string[] = []): Check[] {
  const { testing, quality } = config;
  const scripts = scriptsOf(packageJson);
  const checks: Check[] = [{ name: 'whole suite', command: testing.full, verdict: 'refuses' }];
  const add = (check: Check): void => {
    const known = checks.find((one) => one.command === check.command);
    if (known === undefined) checks.push(check);
    else if (check.verdict === 'refuses') known.verdict = 'refuses';
  };
  for (const command of steps) add({ name: 'step of the suite', command, verdict: 'refuses' });
  if (quality.lint_command !== null) add({ name: 'lint', command: quality.lint_command, verdict: 'warns' });
  for (const { name, command } of sanityCommands(testing))
    add({ name, command, verdict: name === 'lint' && quality.warn_on_lint_errors ? 'warns' : 'refuses' });
  for (const [script, name] of SCRIPTS) {
    const text = scripts[script];
    const command = `npm run ${script}`;
    const isStep = steps.some((step) => step === command || new RegExp(`^(?:pnpm|yarn|bun)(?: run)? ${script}$`).test(step));
    if (text === undefined || isStep || checks.some((check) => check.name === name || check.command === text)) continue;
    add({ name, command, verdict: 'does not run it' });
  }
  return checks.map((check) => {
    const repair = check.verdict === 'refuses' ? repairScript(check.command, scripts) : null;
    return repair === null ? check : { ...check, repair };
  });
}

const SCRIPTS: readonly (readonly [string, string])[] = [
  ['lint', 'lint'],
  ['typecheck', 'type check'],
  ['type-check', 'type check'],
  ['check-types', 'type check'],
  ['build', 'build'],
];
