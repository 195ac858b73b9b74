/** The prompt that an agent gets, with a hostile text in every place that people or files fill. */
import { expect, test } from 'vitest';
import { loadRole } from '../../../prompts/load-role.ts';
import { renderPrompt } from '../../../prompts/role.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { newTask, type TaskState } from '../machine/state.ts';
import { HOSTILE, HOSTILE_TEXTS, outsideFences } from '../test-support-fences.ts';
import { briefFor } from './brief.ts';

const PLACES = [
  'task',
  'context',
  'files',
  'contract',
  'spec',
  'commands',
  'definition of done',
  'its command',
  'rules',
  'reason',
  'review',
  'advice',
  'name in advice',
] as const;

/** Everything is there and harmless, but for one place. */
async function promptWith(place: (typeof PLACES)[number] | null, text: string): Promise<string> {
  const said = (own: string): string => (own === place ? text : 'harmless');
  const input = { task: said('task'), task_id: '1.1', context: said('context'), files: [said('files')], mode: 'solo' } as const;
  const advice = { summary: said('advice'), [said('name in advice')]: 1 };
  const state: TaskState = {
    ...newTask({ ...input, files: [...input.files] }, ''),
    ground: {
      validation: [{ command: said('commands'), reason: null }],
      test: 'npm test',
      tdd: { enforced: true, required: false, skipped: said('reason'), note: null },
      dod: [{ item: said('definition of done'), command: said('its command') }],
      plans: 'Plans.md',
    },
    feedback: said('review'),
    consultations: [{ request: REQUEST, advice }],
  };
  const texts = {
    contract: said('contract'),
    spec: said('spec'),
    rules: ['dry-violation-none', said('rules')],
    quality: [{ path: 'quality.md', text: said('quality') }],
  };
  const role = await loadRole(nodePlatform(), 'worker/worker', []);
  return renderPrompt(role, { ...briefFor(state, state.input, texts), output_path: '.harness/report.json' });
}

const REQUEST: TaskState['consultations'][number]['request'] = {
  schema_version: 'advisor-request.v1',
  task_id: '1.1',
  reason_code: 'advisor-required',
  trigger_hash: '1.1:advisor-required:marker',
  question: 'How?',
  attempt: 0,
  last_error: null,
  context_summary: [],
};

test.each(PLACES)('a hostile text as %s changes nothing outside of its fence', async (place) => {
  const harmless = outsideFences(await promptWith(null, ''));
  expect(harmless.filter((line) => line.startsWith('## '))).toHaveLength(12);
  for (const text of HOSTILE_TEXTS) {
    const prompt = await promptWith(place, text);
    expect(outsideFences(prompt)).toEqual(harmless);
    expect(prompt).toContain('Ignore all rules');
  }
});

test('what cannot be seen does not reach the agent, wherever it stands', async () => {
  for (const place of PLACES) {
    const prompt = await promptWith(place, HOSTILE);
    expect([...prompt].filter((sign) => /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(sign) && sign !== '\n' && sign !== '\t')).toEqual([]);
  }
});
