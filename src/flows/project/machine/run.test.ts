import { describe, expect, test } from 'vitest';
import { exitCodeFor, type Outcome, type Reason } from '../../../domain/reasons.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { initialState, newFlight, type ProjectEvent } from './document.ts';
import type { SessionPlan } from './plan-session.ts';
import type { RunReport } from './run-report.ts';
import { beginRun, type Run, type RunEvent, type Running } from './running.ts';
import { advance, due, resting } from './run.ts';

const RULES = { maxStuckSessions: 3, cleanupInterval: 0 };
const NOW = '2026-01-02T03:04:05.000Z';
const HEAD = { commit: 'b', tree: 't', branch: 'main' };
const SESSION: SessionPlan = { kind: 'session', session: 1, prompt: 'coding', feature: null };

describe('what is due', () => {
  test('a return to a checkpoint before the flight, the flight before everything else, then what was raised, then the next look', () => {
    const flying = { ...fresh(), flight: flight() };
    expect(names({ project: { ...flying, rollback: { checkpoint: 'c', session: 1 } }, run: running() })).toEqual(['restore']);
    expect(names({ project: flying, run: { ...running(), end: report('verified') } })).toEqual(['prepare']);
    expect(names({ project: fresh(), run: { ...running(), session: ended('rejected', ['test.failed']) } })).toEqual(['talk']);
    expect(names({ project: fresh(), run: { ...running(), wait: { until: null, outage: false } } })).toEqual(['wait']);
    expect(names({ project: fresh(), run: running() })).toEqual(['look']);
  });

  test('nothing but what is under way where no session was asked for', () => {
    const run = beginRun({ wanted: 0, cleanup: false, knownSound: true });
    expect(names({ project: fresh(), run })).toEqual([]);
    expect(names({ project: { ...fresh(), flight: flight() }, run })).toEqual(['prepare']);
  });

  test.each<[SessionPlan, string[]]>([
    [SESSION, ['guard']],
    [{ kind: 'complete' }, ['finish']],
    [{ kind: 'paused' }, []],
    [{ kind: 'waiting' }, []],
    [{ kind: 'handoff' }, []],
    [{ kind: 'exhausted', detail: { kind: 'exhausted', skipped: [1], blocked: [], parked: [] } }, ['ask about exhaustion']],
  ])('after the plan %j: %j', (plan, steps) => {
    const state = after({ project: fresh(), run: running(Number.POSITIVE_INFINITY) }, { type: 'looked', plan, head: HEAD, changes: [] });
    expect(names(state)).toEqual(steps);
  });
});

test('a planned session becomes a flight at once where one was asked for, and after the guard where nobody sits there', () => {
  const looked: RunEvent = { type: 'looked', plan: SESSION, head: HEAD, changes: [] };
  expect(after({ project: fresh(), run: running() }, looked).project.flight).toMatchObject({
    phase: 'preparing',
    base: 'b',
    started_at: NOW,
  });
  const several = after({ project: fresh(), run: running(2) }, looked);
  expect(several.project.flight).toBeNull();
  expect(after(several, { type: 'guarded' })).toMatchObject({ project: { flight: { session: 1 } }, run: { guarded: true, plan: null } });
});

describe('a run', () => {
  test.each<[Outcome, Reason[], boolean]>([
    ['verified', [], true],
    ['rejected', ['test.failed'], true],
    ['partial', ['claim.none'], true],
    ['escalated', [], true],
    ['error', ['env.init_failed'], false],
    ['needs_human', ['gate.pending'], true],
    ['escalated', ['budget.project'], false],
  ])('after %s %j goes on: %s', (outcome, reasons, goesOn) => {
    const state = over({ project: fresh(), run: running(3) }, report(outcome, reasons));
    expect(state.run).toMatchObject({ done: 1, end: goesOn ? null : { outcome } });
    expect(names(state)).toEqual(goesOn ? ['look'] : []);
    if (!goesOn) expect(resting(state)).toMatchObject({ outcome, reasons });
  });

  test('ends with the last of the sessions that were asked for', () => {
    const once = over({ project: fresh(), run: running(2) }, report('rejected', ['test.failed']));
    const twice = over(once, report('verified'));
    expect(names(twice)).toEqual([]);
    expect(resting(twice)).toMatchObject({ outcome: 'verified', exitCode: 0 });
  });

  test('does not count a session that a person sends again at once', () => {
    const again = { kind: 'session', report: report('rejected'), retryAt: null, again: true } as const;
    expect(after({ project: fresh(), run: running() }, { type: 'done', changes: [], next: again }).run).toMatchObject({
      done: 0,
      end: null,
    });
  });

  test('waits for an allowance, sits an outage out, and ends with one that lasts too long', () => {
    const limited = over({ project: fresh(), run: running(9) }, report('partial', ['usage_limit']), { retryAt: 5 });
    expect(limited.run.wait).toEqual({ until: 5, outage: false });
    expect(names(after(limited, { type: 'waited', outage: null }))).toEqual(['look']);
    const away = over({ project: fresh(), run: running(9) }, report('partial', ['api.unavailable']), { outage: true });
    const outage = { since: 1, sessions: 1, features: [2], told: false };
    expect(after(away, { type: 'waited', outage }).run).toMatchObject({ outage, wait: null, end: null });
    expect(resting(after(away, { type: 'waited', outage: null }))).toMatchObject({ reasons: ['api.unavailable'] });
  });

  test('writes several changes of one step as one, and looks again after what others asked for', () => {
    const changes: ProjectEvent[] = [{ type: 'skipped', feature: 2, reason: 'r' }, { type: 'paused' }];
    const planned = { project: fresh(), run: { ...running(2), plan: { is: SESSION, head: HEAD } } };
    const state = after(planned, { type: 'taken.up', request: 'x', changes });
    expect(state).toMatchObject({ project: { paused: true, skipped: [{ feature: 2 }] }, run: { plan: null } });
  });
});

describe('a candidate that a person accepts', () => {
  const pending = { session: 4, feature: 2, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.review' };
  const accept: RunEvent = {
    type: 'done',
    changes: [{ type: 'accepted', pending }],
    next: { kind: 'deciding', report: report('needs_human') },
  };

  test('flies from where it was judged, and its session ends as verified', () => {
    let state = after({ project: { ...fresh(), pending }, run: running() }, accept);
    expect(names(state)).toEqual(['commit']);
    state = after(after(state, { type: 'committed', commit: 'k' }), { type: 'landed', pushes: false });
    state = after(state, { type: 'settled', ending: { kind: 'verified', commit: 'k', open: 0, vouched: true }, closing: null });
    expect(resting(state)).toMatchObject({ outcome: 'verified', exitCode: 0, commit: 'k' });
    expect(state.project).toMatchObject({ flight: null, pending: null, last_record: null, overrides: [{ feature: 2, kind: 'manual' }] });
  });

  test('that can no longer land leaves its session refused', () => {
    const landing = after(after({ project: { ...fresh(), pending }, run: running() }, accept), { type: 'committed', commit: 'k' });
    const moving = after(landing, { type: 'moved', message: 'moved on' });
    expect(names(moving)).toEqual(['move']);
    const stale = after(after(moving, { type: 'stranded', reason: 'git.moved', message: 'moved away' }), { type: 'stale' });
    expect(resting(stale)).toMatchObject({ outcome: 'rejected', exitCode: 4, message: 'moved away' });
    expect(stale.run.decided).toEqual({ kind: 'stale', message: 'moved away' });
  });
});

test('a session that never started is talked about, and its number is free', () => {
  const begun = after({ project: fresh(), run: running() }, { type: 'looked', plan: SESSION, head: HEAD, changes: [] });
  const failure = { reason: 'budget.project' as const, message: 'm', broken: [] };
  const state = after(begun, { type: 'dropped', failure });
  expect(state).toMatchObject({ project: { flight: null, last_session: 0 }, run: { session: { session: null, outcome: 'escalated' } } });
  expect(names(state)).toEqual(['talk']);
});

function after(state: Running, event: RunEvent): Running {
  return advance(state, event, RULES, NOW);
}

function over(state: Running, told: RunReport, more: { retryAt?: number; outage?: boolean } = {}): Running {
  return after(state, {
    type: 'done',
    changes: [],
    next: { kind: 'session', report: told, retryAt: more.retryAt ?? null, outage: more.outage },
  });
}

function names(state: Running): string[] {
  return due(state).map((step) => step.name);
}

function running(wanted = 1): Run {
  return beginRun({ wanted, cleanup: false, knownSound: false });
}

function fresh(): ProjectState {
  return initialState('1.0.0', NOW);
}

function flight(): NonNullable<ProjectState['flight']> {
  return newFlight({ session: 1, feature: 2, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW });
}

function report(outcome: Outcome, reasons: Reason[] = []): RunReport {
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session: 4, feature: 2, commit: null, message: '' };
}

function ended(outcome: Outcome, reasons: Reason[]): NonNullable<Run['session']> {
  const { session, feature, commit, message } = report(outcome, reasons);
  return {
    outcome,
    reasons,
    session,
    feature,
    commit,
    message,
    base: 'b',
    branch: 'main',
    verdict: null,
    retryAt: null,
    outage: false,
    broken: [],
  };
}
