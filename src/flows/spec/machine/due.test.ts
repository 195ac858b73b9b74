import { describe, expect, it } from 'vitest';
import { dueSteps } from './due.ts';
import { specFlow } from '../flow.ts';
import { beginSpec, type Analysis, type SpecState } from './state.ts';

const ANALYSTS = ['requirements-analyst', 'risk-auditor'].map((name) => ({ role: `spec/${name}`, persona: name, file: `${name}.md` }));
const done = ({ role, persona, file }: (typeof ANALYSTS)[number]): Analysis => ({ role, persona, file, line: 'x' });

function generating(): SpecState {
  const begun = beginSpec({
    task: 'an export',
    userLanguage: 'en',
    hasGit: false,
    createdAt: '',
    reference: null,
    wanted: { mode: null, model_config: null },
  });
  return { ...begun, phase: 'gen_ready', mode: 'deep', conventions: 'skipped' };
}

describe('what is due', () => {
  it('is one step at a time where people or single roles are asked', () => {
    expect(
      dueSteps(
        beginSpec({
          task: 't',
          userLanguage: 'en',
          hasGit: true,
          createdAt: '',
          reference: null,
          wanted: { mode: null, model_config: null },
        }),
      ),
    ).toEqual([{ key: 'route', name: 'route' }]);
  });

  it('is each analyst in a lane of its own, and not again once it is written down, in whichever order they finish', () => {
    let state = generating();
    expect(dueSteps(state).map(({ key }) => key)).toEqual(['send-analysts']);
    state = specFlow.transition(state, { type: 'analysts.sent', analysts: ANALYSTS });
    expect(dueSteps(state).map((step) => ('lane' in step ? step.lane : null))).toEqual(ANALYSTS.map(({ role }) => role));
    state = specFlow.transition(state, { type: 'analyst.finished', analysis: done(ANALYSTS[1]!) });
    expect(dueSteps(state).map(({ key }) => key)).toEqual(['analyse spec/requirements-analyst']);
    state = specFlow.transition(state, { type: 'analyst.finished', analysis: done(ANALYSTS[0]!) });
    expect(dueSteps(state).map(({ key }) => key)).toEqual(['gather']);
  });

  it('is everybody again after the analyses were lost, or a person had the spec changed', () => {
    const sent = specFlow.transition(generating(), { type: 'analysts.sent', analysts: ANALYSTS });
    const finished = specFlow.transition(sent, { type: 'analyst.finished', analysis: done(ANALYSTS[0]!) });
    expect(dueSteps(specFlow.transition(finished, { type: 'analyses.lost' }))).toEqual([{ key: 'send-analysts', name: 'send-analysts' }]);
    const again = specFlow.transition({ ...finished, phase: 'spec_ready' }, { type: 'modified', modification: 'shorter' });
    const restarted = specFlow.transition(again, { type: 'generation.started' });
    expect(dueSteps(restarted)).toEqual([{ key: 'send-analysts', name: 'send-analysts' }]);
  });
});
