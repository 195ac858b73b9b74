import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MissionState } from '../../kernel/mission-schema.ts';
import { renderContract, renderQueue } from './machine/contract-text.ts';
import { claim, feature, flight, working } from './machine/test-support.ts';
import { openMission } from './open.ts';
import { openMissionBench, type MissionBench } from './test-support.ts';

let bench: MissionBench;
beforeAll(async () => void (bench = await openMissionBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const SPEC = { path: 'SPEC.md', text: 'Build sums.', hash: 'h' };
const OTHER = { path: 'OTHER.md', text: 'Build more.', hash: 'other' };
const write = async (state: MissionState): Promise<void> => {
  await bench.mission.documents.writeText('queue', renderQueue(state));
  await bench.mission.documents.writeText('contract', renderContract(state));
};

describe('a plan that was rejected', () => {
  const rejected = (): MissionState => working([feature(1)], { stage: 'rejected', review: 'too large' });

  test('is planned again', async () => {
    await write(rejected());
    expect(await openMission(bench.mission, SPEC, rejected())).toMatchObject({ stage: 'planning', review: 'too large' });
  });

  test('is tried and reviewed as a person corrected it', async () => {
    await write({ ...rejected(), features: [feature(1), feature(2)], claims: [claim(1), claim(2)] });
    const opened = await openMission(bench.mission, SPEC, rejected());
    expect(opened).toMatchObject({ stage: 'proving-plan', features: [{ id: 'F-001' }, { id: 'F-002' }], review: null });
  });

  test('is worked on where the reviewer was switched off', async () => {
    await write(rejected());
    const { config } = bench.mission;
    const place = { ...bench.mission, config: { ...config, mission: { ...config.mission, plan_reviewer: { enabled: false } } } };
    expect(await openMission(place, SPEC, rejected())).toMatchObject({ stage: 'working' });
  });
});

describe('another specification', () => {
  test('is refused while a mission is under way, and begins one where the last is done', async () => {
    await expect(openMission(bench.mission, OTHER, working([feature(1)]))).rejects.toMatchObject({
      message: expect.stringContaining('A mission for SPEC.md is under way') as string,
    });
    const done = working([feature(1, { status: 'passed' })], { stage: 'done' });
    expect(await openMission(bench.mission, OTHER, done)).toMatchObject({ stage: 'planning', features: [], spec: { path: 'OTHER.md' } });
  });

  test('that is the same file, changed, leaves the plan as it is, with a warning', async () => {
    const known = working([feature(1)], { flights: [flight(1, 'F-001')] });
    expect(await openMission(bench.mission, { ...SPEC, hash: 'changed' }, known)).toMatchObject({
      stage: 'working',
      spec: { hash: 'changed' },
    });
    expect(bench.told('warning')).toHaveLength(1);
  });
});
