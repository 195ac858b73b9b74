/** The text of a fresh `.harness.yaml`: what matters for a start, the rest by default. */
import { stringify } from 'yaml';
import type { Detected } from './detect.ts';
import type { Config } from './schema.ts';

/** Where the schemas stand when the package is installed in the project; editors read it relative to the file. */
export const CONFIG_SCHEMA_ADDRESS = './node_modules/universal-agent-harness/schemas/harness.schema.json';
export const FEATURES_SCHEMA_ADDRESS = './node_modules/universal-agent-harness/schemas/features.schema.json';

export interface FreshConfig {
  name: string;
  testing: string;
  detected: Pick<Detected, 'lint' | 'type_check'>;
  agent: { backend: Config['agent']['backend']; command: string | null };
  /** What the tests need to pass in a clean room. */
  surroundings?: Pick<Config['testing'], 'env' | 'terminal'>;
  /** Single tests cannot be read; absent: they can. */
  byExitStatus?: boolean;
  /** The test command prints no summary that an agent could show. */
  withoutEvidence?: boolean;
  /** Checks that were found and fail: a remark, so that a reader knows why they are missing. */
  leftOut?: readonly { name: string; command: string }[];
}

export function renderConfig(fresh: FreshConfig, schema: string = CONFIG_SCHEMA_ADDRESS): string {
  const { type_check } = fresh.detected;
  const plainLint = lintOf(fresh.detected);
  const sanity = [
    plainLint === null ? [] : [`    lint: ${scalar(plainLint)}`],
    type_check === null ? [] : [`    type_check: ${scalar(type_check)}`],
  ].flat();
  const { env = {}, terminal = false } = fresh.surroundings ?? {};
  return [
    `# yaml-language-server: $schema=${schema}`,
    '# Settings of the harness for this project. Every key and its default: docs/configuration.md of the package.',
    '',
    'project:',
    `  name: ${scalar(fresh.name)}`,
    '',
    'testing:',
    '  # Runs all tests; verdicts rest on it.',
    `  full: ${scalar(fresh.testing)}`,
    ...(fresh.byExitStatus === true ? ['  # Single tests could not be read when the project was adopted.', '  report: exit-code'] : []),
    ...(Object.keys(env).length === 0 && !terminal ? [] : ['  # Without this, tests fail in a clean room that pass at a terminal.']),
    ...(Object.keys(env).length === 0
      ? []
      : ['  env:', ...Object.entries(env).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`)]),
    ...(terminal ? ['  terminal: true'] : []),
    ...(fresh.leftOut ?? []).map(
      ({ name, command }) =>
        `  # Not enforced, because it failed when the project was adopted: ${name}: ${command.replace(/[\r\n]/g, ' ')}`,
    ),
    ...(sanity.length === 0 ? [] : ['  # Quick checks before a session.', '  sanity:', ...sanity]),
    ...(fresh.withoutEvidence === true
      ? ['', 'verification:', '  # The test command prints no summary of a known test runner.', '  require_evidence: false']
      : []),
    '',
    'agent:',
    `  backend: ${scalar(fresh.agent.backend)}`,
    ...(fresh.agent.command === null ? [] : [`  command: ${scalar(fresh.agent.command)}`]),
    '',
    '# Budgets in dollars.',
    'costs:',
    '  per_session_usd: 10',
    '  per_feature_usd: 25',
    '  total_project_usd: 200',
    '',
  ].join('\n');
}

/** The lint command over the whole project. */
export function lintOf({ lint }: Pick<Detected, 'lint'>): string | null {
  return lint?.replace(/ ?\{scope\}/, ' .') ?? null;
}

/** One line of YAML, quoted where it has to be. */
function scalar(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? stringify(value, { lineWidth: 0 }).replace(/\n$/, '') : JSON.stringify(value);
}
