import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../agents/contract.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { followActions, type ActionSettings } from './follow-actions.ts';

const ALL: ActionSettings = { prefixes: true, fallback: true, warnOnMissing: true };
const say = (text: string): AgentEvent => ({ type: 'text', text });
const bash = (command: string): AgentEvent => ({ type: 'tool', id: '1', name: 'bash', input: { command } });

describe('the actions of an agent', () => {
  test('come from its prefixes and from its tool calls', () => {
    expect(follow([say('[FILE:READ] a.js\nSome talk.'), bash('ls')])).toEqual([
      action({ kind: 'file_read', path: 'a.js' }),
      action({ kind: 'cmd_run', cmd: 'ls' }),
    ]);
  });

  test('are told once, whichever of the two comes first', () => {
    expect(follow([say('[CMD:RUN] npm test'), bash('npm test')])).toHaveLength(1);
    expect(follow([bash('npm test'), say('[CMD:RUN] npm test')])).toHaveLength(1);
  });

  test('that are done twice are told twice', () => {
    expect(follow([bash('npm test'), bash('npm test')], { ...ALL, warnOnMissing: false })).toHaveLength(2);
    expect(follow([say('[CMD:RUN] npm test'), bash('npm test'), say('[CMD:RUN] npm test'), bash('npm test')])).toHaveLength(2);
  });

  test('that are decisions are an event of their own as well', () => {
    expect(follow([say('[DECISION] Prices are integers')])).toEqual([
      action({ kind: 'decision', text: 'Prices are integers' }),
      { type: 'decision', session: 7, text: 'Prices are integers', by: 'agent' },
    ]);
  });

  test('come from one source only where the other is switched off', () => {
    expect(follow([say('[FILE:READ] a.js'), bash('ls')], { ...ALL, fallback: false })).toEqual([
      action({ kind: 'file_read', path: 'a.js' }),
    ]);
    expect(follow([say('[FILE:READ] a.js'), bash('ls')], { ...ALL, prefixes: false })).toEqual([action({ kind: 'cmd_run', cmd: 'ls' })]);
  });

  test('without any mark are mentioned once, where that is wanted and the agent spoke', () => {
    expect(follow([say('hello')])).toMatchObject([{ type: 'warning' }]);
    expect(follow([say('hello')], { ...ALL, warnOnMissing: false })).toEqual([]);
    expect(follow([])).toEqual([]);
  });
});

function action(given: Record<string, unknown> & { kind: string }): HarnessEvent {
  return { type: 'agent.action', session: 7, action: given };
}

function follow(events: readonly AgentEvent[], settings: ActionSettings = ALL): HarnessEvent[] {
  const told: HarnessEvent[] = [];
  const follower = followActions(settings, 7, (event) => told.push(event));
  for (const event of events) follower.see(event);
  follower.end(true);
  follower.end(true);
  return told;
}
