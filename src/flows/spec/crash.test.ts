/** Every write of the state, crashed before and after: the same command goes on, and what comes out is the same. */
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Platform } from '../../platform/platform.ts';
import { openStage, SCRIPT, specText, type Cast, type Performance, type Script, type Stage } from './test-support.ts';

const stages: Stage[] = [];
const kept = (stage: Stage): Stage => {
  stages.push(stage);
  return stage;
};
afterAll(() => {
  for (const stage of stages.splice(0)) stage.dispose();
});

class Crash extends Error {}

/** Dies at the n-th write of the state: before it reaches the disk, or right after. From then on nothing can be written. */
function dying(platform: Platform, at: number, when: 'before' | 'after'): Platform {
  let [writes, dead] = [0, false];
  const { writeAtomic, remove } = platform.files;
  return {
    ...platform,
    files: {
      ...platform.files,
      writeAtomic: async (path, data, mode) => {
        if (dead) throw new Crash();
        const isState = basename(path) === 'state.json';
        const now = isState && writes++ === at;
        if (!now || when === 'after') await writeAtomic(path, data, mode);
        if (!now) return;
        dead = true;
        throw new Crash();
      },
      remove: async (path) => {
        if (!dead || basename(path).startsWith('lock')) await remove(path);
      },
    },
  };
}

const counting = (platform: Platform): { platform: Platform; phases: string[] } => {
  const phases: string[] = [];
  const { writeAtomic } = platform.files;
  const files: Platform['files'] = {
    ...platform.files,
    writeAtomic: async (path, data, mode) => {
      if (basename(path) === 'state.json') phases.push((JSON.parse(String(data)) as { phase: string }).phase);
      await writeAtomic(path, data, mode);
    },
  };
  return { platform: { ...platform, files }, phases };
};

const findings = (line: string) => () => ({ output: '[C1] gap\n', reply: line });
const nobody = (): object => ({});
const silent = (persona: string) => () => ({
  output: 'nothing\n',
  reply: `${persona} analysis written — no findings — greenfield project`,
});

interface Walk {
  cast?: Cast;
  script: Script;
  code: number;
  reaches: string[];
}

const WALKS: Readonly<Record<string, Walk>> = {
  'a revision that settles everything': {
    script: SCRIPT,
    code: 0,
    reaches: ['re_synthesis_active', 're_critic_active', 'critic_complete'],
  },
  'a revision in own words, approved at the second gate': {
    cast: { 'spec/critic': findings('critic_findings written — Critical=1, Major=0, Minor=0') },
    script: { ...SCRIPT, critic: { option: 'Modify', text: 'say what happens without orders' }, 'critic-second': 'Approve as-is' },
    code: 0,
    reaches: ['re_critic_active', 'critic_complete'],
  },
  'a second round that is stopped': {
    cast: { 'spec/critic': findings('critic_findings written — Critical=0, Major=2, Minor=0') },
    script: { ...SCRIPT, 'critic-second': 'Stop' },
    code: 3,
    reaches: ['critic_halted'],
  },
  'findings that are approved as they are': { script: { ...SCRIPT, critic: 'Approve as-is' }, code: 0, reaches: ['critic_complete'] },
  'an unreadable line that is approved': {
    cast: { 'spec/critic': findings('all good') },
    script: { ...SCRIPT, 'critic-parse': 'Approve as-is' },
    code: 0,
    reaches: ['critic_complete'],
  },
  'an unreadable line that stops it': {
    cast: { 'spec/critic': findings('all good') },
    script: { ...SCRIPT, 'critic-parse': 'Stop' },
    code: 3,
    reaches: ['critic_halted'],
  },
  'a critic that never comes': { cast: { 'spec/critic': nobody }, script: SCRIPT, code: 0, reaches: ['critic_complete'] },
  'a revision that cannot be written': {
    cast: { 'spec/synthesis': (call) => (call.variables['critic_findings'] === '(none)' ? { output: specText('First draft') } : {}) },
    script: SCRIPT,
    code: 3,
    reaches: ['critic_halted'],
  },
  'analysts with nothing to say': {
    cast: {
      'spec/requirements-analyst': silent('requirements'),
      'spec/user-scenario-analyst': silent('scenario'),
      'spec/risk-auditor': silent('risk'),
      'spec/tech-constraint-analyst': silent('tech constraint'),
    },
    script: SCRIPT,
    code: 0,
    reaches: ['spec_ready'],
  },
  'a spec that is changed once at its gate': {
    script: { ...SCRIPT, approval: [{ option: 'Modify', text: 'shorter' }, 'Approve'] },
    code: 0,
    reaches: ['spec_ready', 'qa_complete'],
  },
};

/** Every write of a walk from here, crashed before and after. */
async function crashEverywhere(from: Stage, walk: Walk): Promise<string[]> {
  const { cast, script, code } = walk;
  const whole = kept(from.copy());
  const watched = counting(whole.platform);
  const played = await whole.play({ cast, script, platform: watched.platform });
  expect(played.report.exitCode, JSON.stringify(played.report)).toBe(code);
  const asked = [...played.gates.map((gate) => gate.id), 'spec.session'];
  for (let write = 0; write < watched.phases.length; write++) {
    for (const when of ['before', 'after'] as const) {
      const hurt = from.copy();
      const first = await hurt.play({ cast, script, platform: dying(hurt.platform, write, when) }).catch((error: unknown) => error);
      expect(first, `write ${write} ${when}`).toBeInstanceOf(Crash);
      const second = await hurt.play({ cast, script: { ...script, ...remaining(script, write, when, watched.phases) } });
      const where = `write ${write} (${watched.phases[write]}) ${when}: ${JSON.stringify(second.report)}`;
      expect(second.report.exitCode, where).toBe(code);
      expect(hurt.leftovers(), where).toEqual(whole.leftovers());
      expect(hurt.state()?.['phase'] ?? null, where).toBe(whole.state()?.['phase'] ?? null);
      for (const gate of second.gates) expect(asked, where).toContain(gate.id);
      hurt.dispose();
    }
  }
  return watched.phases;
}

/** A person who had the spec changed once, and whose wish is written down, does not wish it again. */
function remaining(script: Script, write: number, when: 'before' | 'after', phases: readonly string[]): Script {
  const wish = phases.findIndex((phase, at) => phase === 'qa_complete' && phases[at - 1] === 'spec_ready');
  const written = wish !== -1 && (write > wish || (write === wish && when === 'after'));
  return written && Array.isArray(script['approval']) ? { approval: 'Approve' } : {};
}

let discovered: Stage;
beforeAll(async () => {
  discovered = kept(openStage());
  const before = await discovered.play({
    script: { ...SCRIPT, 'critic-parse': 'Stop' },
    cast: { 'spec/requirements-analyst': () => PAUSE },
  });
  expect(before.report).toMatchObject({ exitCode: 10, reasons: ['user_pause'] });
  expect(discovered.state()).toMatchObject({ phase: 'gen_ready', qa_round: 1 });
  discovered.write({ '.harness/state.json': JSON.stringify({ ...discovered.state(), phase: 'qa_complete' }) });
});

const PAUSE: Performance = { stop: { reason: 'user_pause', message: 'paused', retryAt: null } };

test('set-up and questions go on after a crash before and after every write', async () => {
  const phases = await crashEverywhere(kept(openStage()), {
    script: { ...SCRIPT, mode: 'quick', 'questions-2': { option: 'Answer inline', text: '1. Yes' }, 'questions-3': 'No more questions' },
    cast: {
      'spec/discovery-analyst': (call) => ({ output: JSON.stringify({ questions: [{ question: `Is it ${call.variables['round']}?` }] }) }),
    },
    code: 0,
    reaches: [],
  });
  expect(new Set(phases)).toEqual(
    new Set(['setup', 'convention_scan_active', 'qa_active', 'qa_complete', 'gen_ready', 'spec_ready', 'completed']),
  );
});

test.each(Object.entries(WALKS))('%s: goes on after a crash before and after every write, to the same end', async (_title, walk) => {
  expect(await crashEverywhere(discovered, walk)).toEqual(expect.arrayContaining(walk.reaches));
});
