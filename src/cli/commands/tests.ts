/** `harness tests`: accepted test files with their versions and releases. */
import { cleanLine } from '../../domain/clean-text.ts';
import { counted } from '../../domain/counted.ts';
import { EXIT } from '../../domain/reasons.ts';
import { listAcceptedTests, type AcceptedTestList, type AcceptedTestVersion } from '../../flows/project/look/accepted-tests.ts';
import { openProject } from '../../flows/project/project.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, root, output, options }) => {
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  const feature = options['feature'];
  const list = await listAcceptedTests(project, typeof feature === 'number' ? feature : null);
  output.object(list, describe(list));
  return { exitCode: EXIT.done };
};

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
