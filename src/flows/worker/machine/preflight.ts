/**
 * The items that are looked at before anything is run. Pure.
 *
 * Seven that ship with the task's contract, and one that the harness adds (no other agents, NG-3).
 */
import type { TreeChange } from '../../../domain/tree.ts';
import type { TaskInput } from '../contract.ts';
import { outside, plainPath } from './bounds.ts';
import type { Ground, PreflightItem, TaskState } from './state.ts';

export interface ChangeFacts {
  input: TaskInput;
  files: readonly string[];
  look: { code: readonly string[]; skips: readonly string[]; suppressions: readonly string[]; unfinished: readonly string[] };
  ground: Ground;
  findings: TaskState['findings'];
  agents: readonly string[];
  links: readonly Pick<TreeChange, 'path' | 'to'>[];
}

export function preflightItems(facts: ChangeFacts): PreflightItem[] {
  const { input, files, look } = facts;
  const away = outside(files, input.files);
  const nested = [
    ...facts.findings.filter((one) => one.kind === 'nested_git' || one.kind === 'gitlink').map((one) => one.path),
    ...facts.links.filter((one) => one.to?.mode === '160000').map((one) => one.path),
  ];
  return [
    item('something-changed', files.length > 0, files.length === 0 ? 'no file was changed' : named(files)),
    item(
      'files-in-bounds',
      away.length === 0,
      away.length === 0 ? `all changed files are in files[]: ${named(files)}` : `outside of files[]: ${named(away)}`,
    ),
    item(
      'no-skip-markers',
      look.skips.length === 0,
      look.skips.length === 0 ? 'no test is taken out of the run' : `tests are taken out of the run: ${named(look.skips)}`,
    ),
    item(
      'no-disable-markers',
      look.suppressions.length === 0,
      look.suppressions.length === 0 ? 'no tool is switched off' : `tools are switched off: ${named(look.suppressions)}`,
    ),
    item(
      'nothing-unfinished',
      look.unfinished.length === 0,
      look.unfinished.length === 0 ? 'no placeholder was added' : `placeholders were added: ${named(look.unfinished)}`,
    ),
    item(
      'no-embedded-repository',
      nested.length === 0,
      nested.length === 0 ? 'no repository or submodule was added' : `nested repositories: ${named([...new Set(nested)])}`,
    ),
    specItem(facts),
    item(
      'no-other-agents',
      facts.agents.length === 0,
      facts.agents.length === 0 ? 'no other agent was started' : `the agent called tools that start others: ${named(facts.agents)}`,
    ),
  ];
}

/** The spec stands where it stood, and a task that only writes documents changes no code. */
function specItem({ input, files, look }: ChangeFacts): PreflightItem {
  const given = input.spec_path ?? null;
  const spec = given === null ? null : plainPath(given);
  if (spec !== null && files.includes(spec) && outside([spec], input.files).length > 0)
    return item('spec-respected', false, `${spec} is the source of truth and was changed; it has to be changed first, by its owner`);
  if (input.spec_skip_reason === 'docs-only' && spec === null && look.code.length > 0)
    return item('spec-respected', false, `spec_skip_reason says docs-only, and code was changed: ${named(look.code)}`);
  return item(
    'spec-respected',
    true,
    spec === null
      ? `no spec: ${input.spec_skip_reason ?? 'none was named'}`
      : `${spec} was not changed; only files were looked at, not whether the work agrees with what it says`,
  );
}

function item(name: string, ok: boolean, evidence: string): PreflightItem {
  return { item: name, ok, evidence };
}

const MOST_NAMES = 20;

function named(names: readonly string[]): string {
  return `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''}`;
}
