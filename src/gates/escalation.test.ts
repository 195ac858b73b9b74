import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GateSchema } from '../domain/gate.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { folderShelf } from '../store/folder-store.ts';
import { escalationOptions, renderEscalation, writeEscalation } from './escalation.ts';
import { PROJECT_GATES, projectGate } from './project-gates.ts';

const platform = nodePlatform({});
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-escalation-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the file says why, gives the facts and a command for each option', async () => {
  const file = await writeEscalation(platform.clock, folderShelf(platform, join(folder, '.harness')), {
    trigger: 'project.stuck',
    facts: { feature: 15, sessions: 3 },
    findings: ['tests/x.test.js: expected 2, got 3'],
    asked: true,
  });
  expect(file).toBe(join(folder, '.harness', 'escalation.md'));
  const text = await readFile(file, 'utf8');
  expect(text).toContain('Feature #15 is not finished after 3 sessions');
  expect(text).toContain('tests/x.test.js: expected 2, got 3');
  expect(text).toContain('harness answer project.stuck:15 "Manual implement"');
  expect(text).toContain('harness skip --feature 15');
});

test('without a waiting question no answer command is offered', () => {
  const options = escalationOptions({
    trigger: 'project.repeated-failures',
    facts: { feature: 2, failures: 3 },
    findings: [],
    asked: false,
  });
  expect(options.flatMap((option) => option.commands)).toEqual([
    'harness run',
    'harness skip --feature 2 --reason "<why>"',
    'harness handoff',
    'harness abort',
  ]);
});

test('terminal escapes in a finding do not reach the file', () => {
  const escape = '\u001b]0;owned\u0007\u001b[31mred';
  const text = renderEscalation({ trigger: 'project.sanity', facts: { detail: escape }, findings: [escape], asked: false }, 'now');
  expect(text).not.toContain('\u001b');
  expect(text).toContain('red');
});

test('the ten triggers of the project flow offer the options their users know', () => {
  const labels = Object.fromEntries(Object.entries(PROJECT_GATES).map(([id, row]) => [id, row.options.map((option) => option.label)]));
  expect(labels).toMatchObject({
    'project.stuck': ['Split feature', 'Manual implement', 'Skip', 'Abort', 'Retry'],
    'project.verification-failed': ['Retry session', 'Manual verify', 'Skip', 'Abort'],
    'project.regression': ['Rollback', 'Manual fix', 'Abort', 'Retry', 'Investigate'],
    'project.repeated-failures': ['Retry', 'Skip', 'Manual fix', 'Abort'],
    'project.sanity': ['Retry', 'Rollback', 'Manual fix', 'Abort', 'Repair session'],
    'project.reset-failed': ['Manual fix environment', 'Abort'],
    'project.budget': ['Increase budget', 'Pause', 'Abort'],
    'project.cycle': ['Edit features.json', 'Skip both', 'Abort'],
    'project.false-positives': ['Reset false positives', 'Investigate', 'Abort'],
    'project.large-feature': ['Split feature', 'Proceed anyway', 'Skip'],
  });
});

test('at most one option of a question is recommended, and labels differ in more than case', () => {
  for (const row of Object.values(PROJECT_GATES)) {
    expect(row.options.filter((option) => option.recommended === true).length).toBeLessThanOrEqual(1);
    expect(new Set(row.options.map((option) => option.label.toLowerCase())).size).toBe(row.options.length);
  }
});

test('a long list of tests is shortened in the question', () => {
  const gate = projectGate('project.regression', { session: 1, tests: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] });
  expect(gate.question).toContain('7 tests');
  expect(gate.question).toContain('and 2 more');
  expect(GateSchema.safeParse({ ...gate, asked_at: 'now' }).success).toBe(true);
});
