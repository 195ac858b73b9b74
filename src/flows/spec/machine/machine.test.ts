import { describe, expect, test } from 'vitest';
import { KNOWN_IN, transition, type SpecEvent, type SpecEventType } from './machine.ts';
import { entryPoint, STEPS } from './resume.ts';
import { SPEC_PHASES, type SpecPhase } from '../../../kernel/session-schema.ts';
import { beginSpec, conventionsSource, SpecExtrasSchema, type CriticState, type SpecState } from './state.ts';

const COUNTS = { critical: 1, major: 2, minor: 3 };
const PENDING: CriticState = { applied: 'pending', round: 0, last_findings_path: '.harness/spec/critic_findings.md', failure_reason: null };

function at(phase: SpecPhase, change: Partial<Omit<SpecState, 'harness'>> & { harness?: Partial<SpecState['harness']> } = {}): SpecState {
  const begun = beginSpec({
    task: 'a task',
    userLanguage: 'en',
    hasGit: true,
    createdAt: '2026-11-15T08:00:00.000Z',
    reference: null,
    wanted: { mode: null, model_config: null },
  });
  const scanned = SPEC_PHASES.indexOf(phase) > SPEC_PHASES.indexOf('convention_scan_active');
  return {
    ...begun,
    mode: 'deep',
    model_config: { preset: 'default', executor: null, advisor: null, evaluator: null },
    docs_path: 'docs/harness/a-task/',
    conventions: scanned ? 'skipped' : null,
    ...change,
    phase,
    harness: { ...begun.harness, routed: true, named: true, placed: scanned, ...change.harness },
  };
}

const EVENTS: { [Type in SpecEventType]: Extract<SpecEvent, { type: Type }> } = {
  reopened: { type: 'reopened' },
  routed: { type: 'routed' },
  named: { type: 'named', docs_path: 'docs/harness/a-task/', branch: 'harness/spec-a-task' },
  'mode.chosen': { type: 'mode.chosen', mode: 'deep' },
  'model.chosen': { type: 'model.chosen', model: { preset: 'default', executor: null, advisor: null, evaluator: null }, confirmed: true },
  'model.confirmed': { type: 'model.confirmed' },
  'model.withdrawn': { type: 'model.withdrawn' },
  'model.refused': { type: 'model.refused' },
  placed: { type: 'placed', branch: 'harness/spec-a-task' },
  'scan.reopened': { type: 'scan.reopened' },
  'scan.tried': { type: 'scan.tried', failed: 1 },
  'scan.done': { type: 'scan.done', conventions: 'skipped' },
  'questions.ready': { type: 'questions.ready', questions: [{ question: 'who?', why: 'it matters' }], unreadable: false },
  'questions.none': { type: 'questions.none' },
  answered: { type: 'answered', last: false },
  'generation.started': { type: 'generation.started' },
  'analysts.sent': { type: 'analysts.sent', analysts: [{ role: 'spec/risk-auditor', persona: 'risk auditor', file: 'analysis_risk.md' }] },
  'analyst.finished': {
    type: 'analyst.finished',
    analysis: { role: 'spec/risk-auditor', persona: 'risk auditor', file: 'analysis_risk.md', line: 'x' },
  },
  analysed: { type: 'analysed', analyses: [], nothingFound: false },
  'analyses.lost': { type: 'analyses.lost' },
  synthesised: { type: 'synthesised', missing: [] },
  'synthesis.failed': { type: 'synthesis.failed' },
  'critic.failed': { type: 'critic.failed' },
  'critic.unparsed': { type: 'critic.unparsed' },
  'critic.counted': { type: 'critic.counted', counts: COUNTS },
  'findings.lost': { type: 'findings.lost' },
  'parse.approved': { type: 'parse.approved' },
  'parse.stopped': { type: 'parse.stopped', hasFindings: true },
  'revision.chosen': { type: 'revision.chosen', modification: null },
  'critic.accepted': { type: 'critic.accepted' },
  'critic.stopped': { type: 'critic.stopped' },
  'recritic.entered': { type: 'recritic.entered' },
  resynthesised: { type: 'resynthesised', missing: [] },
  'resynthesis.failed': { type: 'resynthesis.failed' },
  'gate.reached': { type: 'gate.reached' },
  approved: { type: 'approved' },
  modified: { type: 'modified', modification: 'shorter' },
  'begun.again': { type: 'begun.again' },
};

/** The phase after each event, for a deep session without anything out of the ordinary. */
const LEADS_TO: Record<SpecEventType, Partial<Record<SpecPhase, SpecPhase>>> = {
  reopened: Object.fromEntries(SPEC_PHASES.map((phase) => [phase, phase])),
  routed: { setup: 'setup' },
  named: { setup: 'setup' },
  'mode.chosen': { setup: 'setup' },
  'model.chosen': { setup: 'setup' },
  'model.refused': { setup: 'setup' },
  'model.confirmed': { setup: 'setup' },
  'model.withdrawn': { setup: 'setup' },
  placed: { setup: 'convention_scan_active' },
  'scan.reopened': { qa_active: 'convention_scan_active', qa_complete: 'convention_scan_active', gen_ready: 'convention_scan_active' },
  'scan.tried': { convention_scan_active: 'convention_scan_active' },
  'scan.done': { convention_scan_active: 'qa_active' },
  'questions.ready': { qa_active: 'qa_active' },
  'questions.none': { qa_active: 'qa_complete' },
  answered: { qa_active: 'qa_active' },
  'generation.started': { qa_complete: 'gen_ready' },
  'analysts.sent': { gen_ready: 'gen_ready' },
  'analyst.finished': { gen_ready: 'gen_ready' },
  analysed: { gen_ready: 'gen_ready' },
  'analyses.lost': { gen_ready: 'gen_ready' },
  synthesised: { gen_ready: 'critic_active' },
  'synthesis.failed': { gen_ready: 'qa_complete' },
  'critic.failed': { critic_active: 'critic_complete', re_critic_active: 'critic_complete' },
  'critic.unparsed': { critic_active: 'critic_active', re_critic_active: 're_critic_active' },
  'critic.counted': { critic_active: 'critic_active', re_critic_active: 're_critic_active' },
  'findings.lost': { critic_active: 'critic_active', re_critic_active: 're_critic_active' },
  'parse.approved': { critic_active: 'critic_complete', re_critic_active: 'critic_complete' },
  'parse.stopped': { critic_active: 'critic_halted', re_critic_active: 'critic_halted' },
  'revision.chosen': { critic_active: 're_synthesis_active' },
  'critic.accepted': { critic_active: 'critic_complete', re_critic_active: 'critic_complete' },
  'critic.stopped': { re_critic_active: 'critic_halted' },
  'recritic.entered': { critic_active: 're_critic_active' },
  resynthesised: { re_synthesis_active: 're_critic_active' },
  'resynthesis.failed': { re_synthesis_active: 'critic_halted' },
  'gate.reached': { critic_complete: 'spec_ready', critic_active: 'spec_ready' },
  approved: { spec_ready: 'completed' },
  modified: { spec_ready: 'qa_complete' },
  'begun.again': { critic_halted: 'qa_complete' },
};

describe('every phase with every event', () => {
  for (const phase of SPEC_PHASES) {
    for (const type of Object.keys(EVENTS) as SpecEventType[]) {
      const expected = LEADS_TO[type][phase];
      test(`${type} in ${phase} ${expected === undefined ? 'is a defect' : `leads to ${expected}`}`, () => {
        expect(KNOWN_IN[type].includes(phase)).toBe(expected !== undefined);
        if (expected === undefined) {
          expect(() => transition(at(phase), EVENTS[type])).toThrow(`${type} cannot happen in phase ${phase}`);
          return;
        }
        const { state, actions } = transition(at(phase), EVENTS[type]);
        expect(state.phase).toBe(expected);
        expect(STEPS).toContain(actions[0]);
        expect(actions[0]).toBe(entryPoint(state));
      });
    }
  }
});

describe('fields that change together', () => {
  test('analysts without findings conclude the critic in one write, and the spec goes straight to its gate', () => {
    const { state } = transition(at('gen_ready'), { type: 'analysed', analyses: [], nothingFound: true });
    expect(state.critic).toEqual({ applied: 'approved', round: 0, last_findings_path: null, failure_reason: null });
    expect(transition(state, EVENTS.synthesised).state.phase).toBe('spec_ready');
  });

  test('a critic that could not be reached is approved with its reason', () => {
    const { state } = transition(at('critic_active'), EVENTS['critic.failed']);
    expect(state).toMatchObject({
      phase: 'critic_complete',
      critic: { applied: 'approved', round: 0, last_findings_path: null, failure_reason: 'dispatch_failed' },
    });
  });

  test('an unreadable line approved by a person keeps the path of the findings', () => {
    const { state } = transition(at('critic_active', { harness: { findings: 'unparsed' } }), EVENTS['parse.approved']);
    expect(state).toMatchObject({
      phase: 'critic_complete',
      critic: { applied: 'approved', last_findings_path: '.harness/spec/critic_findings.md', failure_reason: 'parse_failed_approved' },
    });
  });

  test.each([
    [true, '.harness/spec/critic_findings.md'],
    [false, null],
  ])('an unreadable line that ends the session names the findings only where there are any (%s)', (hasFindings, path) => {
    const { state } = transition(at('critic_active'), { type: 'parse.stopped', hasFindings });
    expect(state).toMatchObject({ phase: 'critic_halted', critic: { last_findings_path: path, failure_reason: 'parse_failed_halted' } });
  });

  test('counts without Critical and Major conclude the critic at once', () => {
    const counted = transition(at('critic_active'), { type: 'critic.counted', counts: { critical: 0, major: 0, minor: 4 } });
    expect(counted.state).toMatchObject({
      phase: 'critic_complete',
      critic: { applied: 'approved', last_findings_path: PENDING.last_findings_path },
    });
    expect(counted.state.harness.findings).toEqual({ critical: 0, major: 0, minor: 4 });
  });

  test('counts with a Major wait at the gate with the path of the findings', () => {
    const counted = transition(at('critic_active'), EVENTS['critic.counted']);
    expect(counted.state).toMatchObject({ phase: 'critic_active', critic: PENDING });
    expect(counted.actions).toEqual(['ask-critic']);
  });

  test('the second round begins with phase, applied and round in one write', () => {
    const { state, actions } = transition(
      at('re_synthesis_active', { critic: PENDING, harness: { findings: COUNTS } }),
      EVENTS.resynthesised,
    );
    expect(state).toMatchObject({ phase: 're_critic_active', critic: { applied: 'revised', round: 1 }, harness: { findings: null } });
    expect(actions).toEqual(['criticise']);
  });

  test('the round never goes back once it is 1', () => {
    const second = at('re_critic_active', { critic: { ...PENDING, applied: 'revised', round: 1 } });
    for (const type of eventsKnownIn('re_critic_active')) expect(transition(second, EVENTS[type]).state.critic?.round, type).toBe(1);
  });

  test('a second round with findings can be approved or stopped, and nothing else', () => {
    const second = transition(at('re_critic_active', { critic: { ...PENDING, applied: 'revised', round: 1 } }), EVENTS['critic.counted']);
    expect(second.actions).toEqual(['ask-second']);
    expect(transition(second.state, EVENTS['critic.accepted']).state.phase).toBe('critic_complete');
    expect(transition(second.state, EVENTS['critic.stopped']).state.critic?.failure_reason).toBe('second_round_halted');
    expect(() => transition(second.state, EVENTS['revision.chosen'])).toThrow('cannot happen');
  });

  test('a revision that fails is halted with its reason', () => {
    const { state, actions } = transition(at('re_synthesis_active', { critic: PENDING }), EVENTS['resynthesis.failed']);
    expect(state).toMatchObject({ phase: 'critic_halted', critic: { failure_reason: 're_synthesis_failed' } });
    expect(actions).toEqual(['explain-halt']);
  });

  test('a modification of the finished spec forgets the critic and goes back before the generation', () => {
    const { state, actions } = transition(at('spec_ready', { critic: { ...PENDING, applied: 'approved' } }), EVENTS.modified);
    expect(state).toMatchObject({ phase: 'qa_complete', critic: null, harness: { modification: 'shorter', analyses: null } });
    expect(actions).toEqual(['generate']);
  });

  test("a person's words stay until the spec is before that person again", () => {
    let state = transition(at('spec_ready'), EVENTS.modified).state;
    for (const type of ['generation.started', 'analysed', 'synthesised', 'critic.counted'] as const)
      state = transition(state, EVENTS[type]).state;
    state = transition(state, { type: 'revision.chosen', modification: 'and clearer' }).state;
    expect(state.harness.modification).toBe('shorter\n\nand clearer');
    for (const type of ['resynthesised', 'critic.counted', 'critic.accepted'] as const) state = transition(state, EVENTS[type]).state;
    expect(state.harness.modification).toBe('shorter\n\nand clearer');
    expect(transition(state, EVENTS['gate.reached']).state.harness.modification).toBeNull();
  });

  test('the language of the last words comes with any event', () => {
    expect(transition(at('qa_active'), { ...EVENTS.answered, user_lang: 'de' }).state.user_lang).toBe('de');
    expect(transition(at('qa_active'), EVENTS.answered).state.user_lang).toBe('en');
  });
});

function eventsKnownIn(phase: SpecPhase): SpecEventType[] {
  return (Object.keys(KNOWN_IN) as SpecEventType[]).filter((type) => KNOWN_IN[type].includes(phase));
}

describe('rounds of questions', () => {
  test('three rounds are asked at most', () => {
    let state = at('qa_active');
    for (const round of [1, 2, 3]) {
      expect(entryPoint(state)).toBe('inquire');
      state = transition(state, EVENTS['questions.ready']).state;
      expect(state.qa_round).toBe(round);
      expect(entryPoint(state)).toBe('question');
      state = transition(state, EVENTS.answered).state;
    }
    expect(state.phase).toBe('qa_complete');
  });

  test('a last answer ends the questions in any round', () => {
    const asked = transition(at('qa_active'), EVENTS['questions.ready']).state;
    expect(transition(asked, { type: 'answered', last: true }).state.phase).toBe('qa_complete');
  });
});

describe('the recovery table', () => {
  const withCritic = (applied: CriticState['applied'], change: Partial<CriticState> = {}): SpecState =>
    at('critic_active', { critic: { ...PENDING, applied, ...change } });

  test.each<[string, SpecState, string]>([
    ['a session in its set-up goes on with the first thing that is not decided', at('setup', { mode: null }), 'choose-mode'],
    ['a model in own words is shown first', at('setup', { harness: { model_confirmed: false } }), 'confirm-model'],
    ['a quick session needs no model', at('setup', { mode: 'quick', model_config: null }), 'place'],
    ['a scan begins anew', at('convention_scan_active'), 'scan'],
    ['questions that were asked are asked again', at('qa_active', { harness: { questions: [] } }), 'question'],
    ['a finished discovery leads to the generation', at('qa_complete'), 'generate'],
    ['a deep generation begins with its analysts', at('gen_ready'), 'analyse'],
    ['a quick generation writes the spec', at('gen_ready', { mode: 'quick' }), 'synthesise'],
    ['analysts that are done are not sent out again', at('gen_ready', { harness: { analyses: [] } }), 'synthesise'],
    ['a critic without a result is sent out again', withCritic(null), 'criticise'],
    ['a state of an older version without a critic sends one out', at('critic_active'), 'criticise'],
    ['findings that wait are shown again', withCritic('pending'), 'ask-critic'],
    ['an older version crashed between two writes of an approval', withCritic('approved'), 'reach-gate-legacy'],
    ['an older version crashed before its second critic', withCritic('revised'), 'enter-recritic'],
    ['an unreadable line is shown again', at('critic_active', { harness: { findings: 'unparsed' } }), 'ask-parse'],
    ['a revision begins anew', at('re_synthesis_active', { critic: PENDING }), 'resynthesise'],
    ['a second critic is sent out again', at('re_critic_active', { critic: { ...PENDING, round: 1 } }), 'criticise'],
    ['findings of the second round are shown again', at('re_critic_active', { harness: { findings: COUNTS } }), 'ask-second'],
    ['a concluded critic leads to the gate', at('critic_complete'), 'reach-gate'],
    ['a halted session explains itself', at('critic_halted'), 'explain-halt'],
    ['a finished spec is shown', at('spec_ready'), 'approve'],
    ['an approved spec is handed on', at('completed'), 'hand-off'],
    ['a session from before conventions makes up for the scan', at('gen_ready', { conventions: null }), 'reopen-scan'],
  ])('%s', (_title, state, step) => expect(entryPoint(state)).toBe(step));

  test.each(['qa_active', 'qa_complete', 'gen_ready'] as const)(
    'an older session in %s comes back to that phase after its scan',
    (phase) => {
      const older = at(phase, { conventions: null, qa_round: 2, harness: { answered_rounds: null } });
      const scanning = transition(older, EVENTS['scan.reopened']).state;
      expect(scanning.harness.saved_phase).toBe(phase);
      const back = transition(scanning, EVENTS['scan.done']).state;
      expect(back).toMatchObject({ phase, qa_round: 2, conventions: 'skipped', harness: { saved_phase: null } });
    },
  );

  test('an older session resumes the round it was in', () => {
    const older = at('qa_active', { qa_round: 2, harness: SpecExtrasSchema.parse({}) });
    expect(transition(older, EVENTS['questions.ready']).state.qa_round).toBe(2);
  });

  test('the second round of an older version gets its own phase', () => {
    const { state, actions } = transition(withCritic('revised'), EVENTS['recritic.entered']);
    expect(state).toMatchObject({ phase: 're_critic_active', critic: { applied: 'revised', round: 1 } });
    expect(actions).toEqual(['criticise']);
  });
});

test.each([
  [null, 'unset'],
  ['skipped', 'skipped'],
  ['file:.harness/conventions.md', 'file'],
  ['file:../../etc/passwd', 'damaged'],
  ['file:.harness/conventions.md ', 'damaged'],
  ['', 'damaged'],
])('the conventions value %j is %s', (value, kind) => expect(conventionsSource(value)).toBe(kind));
