import { expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { checkCommand, missingProgram } from './shell-program.ts';

const platform = nodePlatform();

test('a program that is not on this machine is named; what only the shell can tell is not guessed', async () => {
  const missing = (command: string): Promise<string | null> => missingProgram(platform, command);
  expect(await missing('no-such-agent-here --acp')).toBe('no-such-agent-here');
  expect(await missing('/no/such/agent --acp')).toBe('/no/such/agent');
  for (const command of [
    'sh agent.sh',
    'cd tools && run-it',
    './agent.sh',
    'KEY=1 no-such-agent',
    '"$AGENT" --acp',
    'no-such-$agent',
    'true; x',
  ])
    expect(await missing(command), command).toBeNull();
});

test('a command that is there starts, one that is not says what to do', async () => {
  expect(await checkCommand(platform, 'acp', 'sh -c agent', 'set it')).toMatchObject({ found: true, can_start: true, install: null });
  expect(await checkCommand(platform, 'acp', '', 'set it')).toMatchObject({ can_start: false, install: 'set it' });
  const gone = await checkCommand(platform, 'acp', 'no-such-agent-here --acp', 'set it');
  expect(gone).toMatchObject({ found: false, can_start: false });
  expect(gone.detail).toBe('no-such-agent-here is not on the PATH; agent.command is: no-such-agent-here --acp');
});
