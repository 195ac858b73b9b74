import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStage, SCRIPT, specText, type Cast, type Played, type Stage } from './test-support.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.dispose());

const warnings = (played: Played): string => played.events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])).join('\n');
const rolesOf = (played: Played): string[] => played.calls.map((call) => call.role);
const FOUR = ['spec/requirements-analyst', 'spec/user-scenario-analyst', 'spec/risk-auditor', 'spec/tech-constraint-analyst'];
const silent = (persona: string) => () => ({
  output: 'nothing\n',
  reply: `${persona} analysis written — no findings — greenfield project`,
});
const QUIET: Cast = Object.fromEntries(FOUR.map((role) => [role, silent(role)]));
const UNTIL_CRITIC = { ...SCRIPT, critic: 'Approve as-is' };

describe('analysts', () => {
  test('are asked at the same time, in lanes of their own, and never hear of each other', async () => {
    const cast: Cast = Object.fromEntries(
      FOUR.map((role) => [role, () => ({ output: `SECRET of ${role}`, reply: 'x analysis written — 1' })]),
    );
    const played = await stage.play({ script: UNTIL_CRITIC, cast });
    const calls = played.calls.filter(({ role }) => FOUR.includes(role));
    expect(new Set(calls.map(({ lane }) => lane)).size).toBe(4);
    for (const call of calls) expect(JSON.stringify(call.variables)).not.toContain('SECRET');
    const synthesis = played.calls.find(({ role }) => role === 'spec/synthesis')!;
    for (const role of FOUR) expect(synthesis.variables['analyses']).toContain(`SECRET of ${role}`);
  });

  test('one that leaves no file is tried three times; a line stands in for it and the critic still comes', async () => {
    const played = await stage.play({
      script: { ...UNTIL_CRITIC, next: [] },
      cast: { ...QUIET, 'spec/risk-auditor': () => ({ reply: 'risk analysis written — no findings — all fine' }) },
    });
    expect(rolesOf(played).filter((role) => role === 'spec/risk-auditor')).toHaveLength(3);
    expect(warnings(played)).toContain('risk auditor: no analysis came back');
    expect(stage.read('.harness/spec/analysis_risk.md')).toBe('risk auditor analysis written — dispatch failed\n');
    expect(rolesOf(played)).toContain('spec/critic');
  });

  test('one whose line is broken keeps its file, is told about, and the critic still comes', async () => {
    const played = await stage.play({
      script: { ...UNTIL_CRITIC, next: [] },
      cast: { ...QUIET, 'spec/risk-auditor': () => ({ output: 'real risks\n', reply: 'I am done!' }) },
    });
    expect(rolesOf(played).filter((role) => role === 'spec/risk-auditor')).toHaveLength(1);
    expect(warnings(played)).toContain('risk auditor: its last line is not of the form');
    expect(stage.read('.harness/spec/analysis_risk.md')).toBe('real risks\n');
    expect(rolesOf(played)).toContain('spec/critic');
    expect(stage.state()?.['critic']).toMatchObject({ applied: 'approved' });
  });

  test('who all have nothing to report make the critic superfluous, not the spec', async () => {
    const played = await stage.play({ script: SCRIPT, cast: QUIET });
    expect(played.report.exitCode).toBe(0);
    expect(rolesOf(played)).toContain('spec/synthesis');
    expect(rolesOf(played)).not.toContain('spec/critic');
  });
});

describe("a fifth analyst in a user's role file", () => {
  const addFifth = (folder: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'spec-cost-analyst.md'),
      '---\nrole: spec/cost-analyst\nkind: analyst\nvariables: [task, output_path]\n---\nYou count money.\n<!-- prompt -->\n{{task}}\n{{output_path}}\n',
    );
  };

  test('is asked like the others, and its file reaches the synthesis', async () => {
    addFifth(join(stage.root, '.harness/roles'));
    const played = await stage.play({
      script: UNTIL_CRITIC,
      cast: { 'spec/cost-analyst': () => ({ output: 'it costs 5', reply: 'cost analysis written — 1' }) },
    });
    const call = played.calls.find(({ role }) => role === 'spec/cost-analyst')!;
    expect(call.output).toBe('analysis_cost_analyst.md');
    expect(played.calls.find(({ role }) => role === 'spec/synthesis')!.variables['analyses']).toContain('it costs 5');
  });

  test('counts when everybody is asked whether there is anything', async () => {
    addFifth(join(stage.platform.env['HARNESS_HOME']!, 'roles'));
    const loud = await stage.play({
      script: UNTIL_CRITIC,
      cast: { ...QUIET, 'spec/cost-analyst': () => ({ output: 'x', reply: 'cost analysis written — 1' }) },
    });
    expect(rolesOf(loud)).toContain('spec/critic');
    const other = openStage();
    addFifth(join(other.root, '.harness/roles'));
    const still = await other.play({ script: SCRIPT, cast: { ...QUIET, 'spec/cost-analyst': silent('cost') } });
    expect(rolesOf(still)).not.toContain('spec/critic');
    other.dispose();
  });
});

describe('the synthesis', () => {
  test('that leaves no file is tried three times, then a person looks and the answers stay', async () => {
    const played = await stage.play({ script: SCRIPT, cast: { 'spec/synthesis': () => ({}) } });
    expect(rolesOf(played).filter((role) => role === 'spec/synthesis')).toHaveLength(3);
    expect(played.report).toMatchObject({ exitCode: 3, outcome: 'escalated' });
    expect(stage.state()).toMatchObject({ phase: 'qa_complete' });
    expect(stage.read('.harness/escalation.md')).toContain('could not be written');
    const again = await stage.play({ script: SCRIPT });
    expect(again.report.exitCode).toBe(0);
    expect(again.gates.map((gate) => gate.id)).not.toContain('spec.questions-1');
  });

  test('that leaves sections out is tried again, and the person is told what is still missing', async () => {
    const half = specText('First draft').replace('## Risks', '## Other');
    const played = await stage.play({
      script: { ...SCRIPT, mode: 'quick', approval: [] },
      cast: { 'spec/synthesis': () => ({ output: half }) },
    });
    expect(rolesOf(played).filter((role) => role === 'spec/synthesis')).toHaveLength(3);
    expect(warnings(played)).toContain('lacks these sections: Risks');
    expect(played.gates.at(-1)!.context.join('\n')).toContain('lacks these sections: Risks');
  });

  test('is told the headings and what stands for open questions', async () => {
    const played = await stage.play({ script: { ...SCRIPT, mode: 'quick' } });
    const { variables } = played.calls.find(({ role }) => role === 'spec/synthesis')!;
    expect(variables['headings']).toContain('## Acceptance Criteria');
    expect(variables['unconfirmed']).toBe('[unconfirmed]');
  });
});

describe('the critic', () => {
  test('that never comes is told about in a banner at the gate', async () => {
    const played = await stage.play({ script: { ...SCRIPT, approval: [] }, cast: { 'spec/critic': () => ({}) } });
    expect(rolesOf(played).filter((role) => role === 'spec/critic')).toHaveLength(3);
    expect(stage.state()?.['critic']).toEqual(
      expect.objectContaining({ applied: 'approved', failure_reason: 'dispatch_failed', last_findings_path: null }),
    );
    expect(played.gates.at(-1)).toMatchObject({ id: 'spec.approval', non_negotiable: true });
    expect(played.gates.at(-1)!.context.join('\n')).toContain('failure_reason="dispatch_failed"');
  });

  test('without Critical and Major leads straight to the gate, with its findings', async () => {
    const played = await stage.play({
      script: { ...SCRIPT, approval: [] },
      cast: { 'spec/critic': () => ({ output: '[m1] wording\n', reply: 'critic_findings written — Critical=0, Major=0, Minor=1' }) },
    });
    expect(played.gates.map((gate) => gate.id)).not.toContain('spec.critic');
    expect(played.gates.at(-1)!.context.join('\n')).toContain('.harness/spec/critic_findings.md');
  });

  test('is never asked a third time', async () => {
    const played = await stage.play({
      script: { ...SCRIPT, 'critic-second': 'Approve as-is' },
      cast: { 'spec/critic': () => ({ output: '[M1] gap\n', reply: 'critic_findings written — Critical=0, Major=1, Minor=0' }) },
    });
    expect(played.report.exitCode).toBe(0);
    expect(rolesOf(played).filter((role) => role === 'spec/critic')).toHaveLength(2);
    const [first, again] = played.calls.filter(({ role }) => role === 'spec/synthesis').map(({ variables }) => variables);
    expect(first!['draft']).toBe('(none)');
    expect(again!['draft']).toMatch(/data: draft\n[\s\S]*First draft/);
    expect(again!['critic_findings']).toContain('[M1] gap');
    expect(played.gates.find((gate) => gate.id === 'spec.critic-second')!.options.map((option) => option.label)).toEqual([
      'Approve as-is',
      'Stop',
    ]);
  });
});

test('limits and people end the command and count as nobody’s failure', async () => {
  const played = await stage.play({
    script: SCRIPT,
    cast: { 'spec/risk-auditor': () => ({ stop: { reason: 'usage_limit', message: 'used up', retryAt: null } }) },
  });
  expect(played.report).toMatchObject({ exitCode: 10, outcome: 'partial', reasons: ['usage_limit'] });
  expect(stage.state()).toMatchObject({ phase: 'gen_ready' });
});
