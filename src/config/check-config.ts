/** Rules that tie two settings together, and settings that are allowed but worth a word. Pure. */
import { BACKENDS } from '../agents/registry.ts';
import { cleanText } from '../domain/clean-text.ts';
import { looksLikeGitDirectory } from '../domain/file-names.ts';
import type { Config } from './schema.ts';
import { firstItem } from '../domain/items.ts';
import { mustHave } from '../domain/must-have.ts';

export interface Remark {
  path: string[];
  message: string;
  fix: string;
}

export function checkConfig(config: Config): { errors: Remark[]; warnings: Remark[] } {
  return { errors: ERRORS.flatMap((rule) => rule(config)), warnings: WARNINGS.flatMap((rule) => rule(config)) };
}

type Rule = (config: Config) => Remark[];

const ERRORS: readonly Rule[] = [
  ({ context }) =>
    context.warn_threshold < context.force_threshold
      ? []
      : [
          {
            path: ['context', 'warn_threshold'],
            message: 'the warning would come no earlier than the forced end',
            fix: `make it less than force_threshold (${context.force_threshold})`,
          },
        ],
  ({ session }) =>
    session.timeout_warning_minutes <= session.timeout_minutes
      ? []
      : [
          {
            path: ['session', 'timeout_warning_minutes'],
            message: 'the warning would come after the end of the session',
            fix: `make it less than timeout_minutes (${session.timeout_minutes})`,
          },
        ],
  ({ agent }) =>
    BACKENDS[agent.backend].needsCommand && agent.command === null
      ? [
          {
            path: ['agent', 'command'],
            message: `the backend ${agent.backend} needs a command`,
            fix: 'write under "agent:" which program to start, as "command: ..."',
          },
        ]
      : [],
  ({ testing }) =>
    testing.feature === null || testing.feature.includes('{test_file}')
      ? []
      : [
          {
            path: ['testing', 'feature'],
            message: 'it does not say where the test file goes',
            fix: 'put {test_file} where the path of the file belongs',
          },
        ],
  ({ workspace, lanes }) =>
    workspace.mode === 'in_place' && lanes.max > 1
      ? [
          {
            path: ['workspace', 'mode'],
            message: `several lanes (lanes.max is ${lanes.max}) cannot share the one working tree`,
            fix: 'set workspace.mode: copy, or lanes.max: 1',
          },
        ]
      : [],
  ({ paths }) =>
    (['features', 'progress', 'state_dir'] as const)
      .filter((key) => leavesProject(paths[key]))
      .map((key) => ({
        path: ['paths', key],
        message: 'it leads out of the project',
        fix: 'give a path relative to the project, without ".."',
      })),
  ({ paths }) =>
    stateProblem(paths.state_dir) === null
      ? []
      : [
          {
            path: ['paths', 'state_dir'],
            message: mustHave(stateProblem(paths.state_dir), 'the setting has a problem'),
            fix: 'name a folder for nothing but state, such as .harness',
          },
        ],
];

const WARNINGS: readonly Rule[] = [
  ({ git, github }) =>
    git.push && github.pull_requests !== 'off'
      ? [
          {
            path: ['github', 'pull_requests'],
            message: 'git.push sends accepted commits to the branch itself, so that a pull request would have nothing left to show',
            fix: 'set git.push: false, or github.pull_requests: off',
          },
        ]
      : [],
  ({ verification }) =>
    verification.harness_verify && verification.regression_check
      ? []
      : [
          {
            path: ['verification'],
            message: 'with harness_verify or regression_check off, no claim is ever verified; a person decides on each',
            fix: 'turn both on to let the harness decide',
          },
        ],
  ({ verification }) =>
    verification.network === 'host'
      ? [
          {
            path: ['verification', 'network'],
            message: 'tests can reach the network; every verdict will say so',
            fix: 'use loopback where the tests allow it',
          },
        ]
      : [],
  ({ workspace }) =>
    workspace.mode === 'in_place'
      ? [
          {
            path: ['workspace', 'mode'],
            message:
              'the agent works in your own working tree: ignored files have no protection there, and what you edit meanwhile is taken for its work',
            fix: 'use copy',
          },
        ]
      : [],
  ({ sandbox }) =>
    sandbox.mode === 'off' ? [{ path: ['sandbox', 'mode'], message: 'agent and tests run without a sandbox', fix: 'use auto' }] : [],
];

/** What only the folder itself tells, `store/state-folder.ts` looks at. */
function stateProblem(path: string): string | null {
  if (leavesProject(path)) return null;
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  if (parts.length === 0) return 'it is the project itself';
  if (parts.some(looksLikeGitDirectory)) return 'it leads into a git directory';
  if (SOURCE_FOLDERS.has(firstItem(parts).toLowerCase())) return `${parts[0]}/ is a folder for sources`;
  return hasControl(path) ? 'it contains characters that cannot be seen' : null;
}

/** Whether anything is in them yet or not: an agent would write there. */
const SOURCE_FOLDERS = new Set(['src', 'lib', 'app', 'bin', 'test', 'tests', 'docs', 'packages', 'node_modules', '.github']);

function hasControl(path: string): boolean {
  return cleanText(path) !== path || /[\t\n]/.test(path);
}

function leavesProject(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || path.split(/[\\/]/).includes('..');
}
