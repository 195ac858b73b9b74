/**
 * `harness tests`: accepted test files with their versions and releases; with `--hidden` the hidden tests.
 *
 * Hidden tests are shown to a person at a terminal alone: never as JSON, to a program or to an agent.
 */
import { usageError } from '../../domain/errors.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { counted } from '../../domain/counted.ts';
import { EXIT } from '../../domain/reasons.ts';
import { listAcceptedTests, type AcceptedTestList, type AcceptedTestVersion } from '../../flows/project/look/accepted-tests.ts';
import { listHiddenTests } from '../../flows/project/look/hidden-tests.ts';
import { openProject, type Project } from '../../flows/project/project.ts';
import { readState } from '../../flows/project/state-files.ts';
import { agentAsking } from '../../gates/persons-question.ts';
import { adoptKept } from '../../kernel/flight/hidden-files.ts';
import type { Command, CommandContext, CommandResult } from '../command.ts';
import { hiddenLines } from '../hidden-lines.ts';
import { flagOption, numberOption } from '../options.ts';
import { withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const { platform, root, output, options } = context;
  const feature = numberOption(options, 'feature');
  const adopted = numberOption(options, 'adopt');
  const isHidden = flagOption(options, 'hidden') || adopted !== null;
  if (isHidden) refuseOthers(context);
  if (adopted !== null) return await adopt(context, adopted);
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  if (isHidden) return await showHidden(context, project, feature);
  const list = await listAcceptedTests(project, feature);
  output.object(list, describe(list));
  return { exitCode: EXIT.done };
};

/** A person sits at a terminal, and no agent started the command. */
function refuseOthers({ platform, interactive }: CommandContext): void {
  const variable = agentAsking(platform.env);
  if (interactive && variable === null) return;
  throw usageError(
    variable === null ? 'Hidden tests are shown at a terminal only.' : `Hidden tests are not shown to agents, and ${variable} is set.`,
    'A person can also read them on the page: harness ui',
  );
}

async function showHidden({ output }: CommandContext, project: Project, feature: number | null): Promise<CommandResult> {
  const list = await listHiddenTests(project, await readState(project, { writer: false }), feature);
  output.object({}, hiddenLines(list, output.paint).join('\n'));
  return { exitCode: EXIT.done };
}

async function adopt(context: CommandContext, number: number): Promise<CommandResult> {
  const { file } = await withProject(context, 'tests', (project) => adoptKept(project, number));
  context.output.object({ file }, `Wrote ${cleanLine(file)}. Commit it to keep it; it no longer runs as a hidden test.`);
  return { exitCode: EXIT.done };
}

function describe({ files }: AcceptedTestList): string {
  if (files.length === 0) return 'No accepted tests.';
  return files
    .flatMap(({ file, versions }) => [`${cleanLine(file)}  ${counted(versions.length, 'version')}`, ...versions.map(line)])
    .join('\n');
}

const STATES: Readonly<Record<AcceptedTestVersion['state'], string>> = {
  present: 'current',
  earlier: 'runs with later work',
  released: 'released',
  gone: 'not in this commit',
};

function line({ id, session, feature, tests, state, released, joined }: AcceptedTestVersion): string {
  const origin = `${session === 0 ? 'first version' : `session ${session}`}${feature === null ? '' : `, feature #${feature}`}`;
  const by =
    state !== 'released' || released === null
      ? ''
      : ` by ${released.by === 'person' ? 'a person' : 'the feature'}, session ${released.session}`;
  const more = joined === 0 ? '' : `; ${counted(joined, 'older version')} dropped`;
  return `  ${id}  ${origin.padEnd(24)}  ${counted(tests, 'test').padEnd(9)}  ${STATES[state]}${by}${more}`;
}
