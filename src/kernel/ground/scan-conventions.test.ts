import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateAnswer } from '../../domain/gate.ts';
import type { Question } from '../../gates/question.ts';
import { treeOf } from '../../workspace/home.ts';
import { callRole } from '../roles/call-role.ts';
import type { Place } from '../place.ts';
import { scanForSpec, scanForWorkflow, type ScanResult, type ScanSession } from './scan-conventions.ts';
import { CONVENTIONS_FILE } from '../session-schema.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';

let bench: PlaceBench;
let asked: Question[];
let remembered: number[];
let resets: number;
afterEach(() => bench.dispose());

const open = (git: boolean) => {
  bench = createPlaceBench({ git });
  asked = [];
  remembered = [];
  resets = 0;
};

const SCANS = 'cat > /dev/null; printf "# Found\\nmodels: %s\\n" "$HARNESS_ROLE" > "$HARNESS_OUTPUT"; echo "conventions written - done"\n';
const WRITES_NOTHING = 'cat > /dev/null; echo "conventions written - done"\n';
const long = (lines: number, word = 'rule') => `${word}\n`.repeat(lines);

interface Scene {
  script?: string;
  answers?: (string | { text: string })[];
  session?: Partial<ScanSession>;
}

function scan(flow: 'workflow' | 'spec', { script = SCANS, answers = [], session = {} }: Scene = {}): Promise<ScanResult> {
  const queue = [...answers];
  return bench.hold(script, async (held) => {
    const place: Place = {
      ...held,
      asker: {
        ...held.asker,
        ask: async (question): Promise<GateAnswer | 'pending'> => {
          asked.push(question);
          const next = queue.shift();
          if (next === undefined) return 'pending';
          return typeof next === 'string' ? { option: next, text: null, by: 'answers' } : { option: null, text: next.text, by: 'answers' };
        },
      },
    };
    const whole: ScanSession = {
      flow,
      conventions: null,
      docsPath: 'docs/harness/task/',
      language: 'en',
      lang: 'typescript',
      scope: '(no limit)',
      models: null,
      tree: await treeOf(place.platform, place.home, place.home.head!),
      reference: null,
      failedScans: null,
      ...session,
    };
    const tools = {
      callRole,
      endsCommand: (stop: { reason: string }) => stop.reason === 'interrupted',
    };
    const warnings: string[] = [];
    for (;;) {
      const result = await (flow === 'workflow' ? scanForWorkflow : scanForSpec)(place, whole, tools);
      if (result.kind === 'tried') {
        remembered.push((whole.failedScans = result.failedScans));
        warnings.push(...result.warnings);
      } else if (result.kind === 'reset') {
        resets += 1;
        whole.conventions = null;
      } else return result.kind === 'settled' ? { ...result, warnings: [...warnings, ...result.warnings] } : result;
    }
  });
}

const conventions = () => readFileSync(join(bench.root, '.harness', 'conventions.md'), 'utf8');
const settledOn = (value: string) => ({ kind: 'settled', conventions: value });

describe('the workflow', () => {
  beforeEach(() => open(true));

  test('takes a CLAUDE.md of fifty lines without asking', async () => {
    bench.write({ 'CLAUDE.md': long(50) });
    expect(await scan('workflow')).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(conventions()).toBe(long(50));
    expect(asked).toEqual([]);
  });

  test('takes what a spec left beside its documents before anything else', async () => {
    bench.write({ 'CLAUDE.md': long(80), 'docs/harness/task/conventions.md': 'from the spec\n' });
    expect(await scan('workflow')).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(conventions()).toBe('from the spec\n');
  });

  test('keeps a live file of its own session, and sets the field back when the file is nowhere', async () => {
    bench.write({ '.harness/conventions.md': 'live\n', 'docs/harness/task/conventions.md': 'older\n' });
    expect(await scan('workflow', { session: { conventions: CONVENTIONS_FILE } })).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(conventions()).toBe('live\n');
    rmSync(join(bench.root, '.harness', 'conventions.md'));
    rmSync(join(bench.root, 'docs'), { recursive: true });
    expect(await scan('workflow', { session: { conventions: CONVENTIONS_FILE } })).toEqual({ kind: 'waits', gate: 'workflow.conventions' });
    expect(resets).toBe(1);
  });

  test('asks in the language of the person when CLAUDE.md says too little, and skips when told to', async () => {
    bench.write({ 'CLAUDE.md': long(49) });
    expect(await scan('workflow', { answers: ['Skip'], session: { language: 'ko' } })).toMatchObject(settledOn('skipped'));
    expect(asked[0]).toMatchObject({
      id: 'workflow.conventions',
      language: 'ko',
      options: [{ label: 'Scan', shown: '조사' }, { label: 'Skip' }],
    });
    expect(existsSync(join(bench.root, '.harness', 'conventions.md'))).toBe(false);
  });

  test('lets the scanner write, and understands an answer in words', async () => {
    const result = await scan('workflow', { answers: [{ text: 'hmm' }, { text: 'scan' }] });
    expect(result).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(conventions()).toContain('workflow/convention-scanner');
    expect(remembered).toEqual([0]);
    expect(bench.events).toContainEqual(expect.objectContaining({ type: 'warning', message: expect.stringContaining('hmm') }));
  });

  test('asks after a scan without a file, tries twice more at most, and never names a file that is not there', async () => {
    const result = await scan('workflow', { script: WRITES_NOTHING, answers: ['Scan', 'Retry', 'Retry'] });
    expect(result).toMatchObject({ ...settledOn('skipped'), warnings: [expect.any(String), expect.any(String), expect.any(String)] });
    expect(asked.map(({ id }) => id)).toEqual(['workflow.conventions', 'workflow.conventions-failed', 'workflow.conventions-failed']);
    expect(remembered).toEqual([0, 1, 2, 3]);
  });

  test('goes on where it was: with the question about the failed scan', async () => {
    expect(await scan('workflow', { session: { failedScans: 1 } })).toEqual({ kind: 'waits', gate: 'workflow.conventions-failed' });
    expect(await scan('workflow', { session: { failedScans: 1 }, answers: ['Retry'] })).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(await scan('workflow', { session: { failedScans: 0 } })).toMatchObject(settledOn(CONVENTIONS_FILE));
  });

  test('does not follow a CLAUDE.md that leads out of the directory, and follows one that stays inside', async () => {
    writeFileSync(join(bench.folder, 'secret.md'), long(60, 'secret'));
    symlinkSync(join(bench.folder, 'secret.md'), join(bench.root, 'CLAUDE.md'));
    expect(await scan('workflow')).toMatchObject({ kind: 'waits' });
    rmSync(join(bench.root, 'CLAUDE.md'));
    bench.write({ 'AGENTS.md': long(60) });
    symlinkSync('AGENTS.md', join(bench.root, 'CLAUDE.md'));
    expect(await scan('workflow')).toMatchObject(settledOn(CONVENTIONS_FILE));
  });
});

describe('the spec flow in a repository', () => {
  beforeEach(() => open(true));

  test('takes the reference before everything else, and checks it again', async () => {
    bench.write({ 'CLAUDE.md': long(80), 'docs/style.md': 'ours\n' });
    expect(await scan('spec', { session: { reference: 'docs/style.md' } })).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(conventions()).toBe('ours\n');
    rmSync(join(bench.root, 'docs', 'style.md'));
    await expect(scan('spec', { session: { reference: 'docs/style.md' } })).rejects.toMatchObject({ exitCode: 2 });
  });

  test('takes a CLAUDE.md between 50 and 5000 lines and 200 KB, and asks about any other', async () => {
    for (const [text, kind] of [
      [long(50), 'settled'],
      [long(5001), 'waits'],
      [long(60, 'x'.repeat(4000)), 'waits'],
      [long(49), 'waits'],
    ] as const) {
      bench.write({ 'CLAUDE.md': text });
      expect(await scan('spec')).toMatchObject({ kind });
    }
  });

  test('tries a failing scanner twice more by itself, then goes on without conventions', async () => {
    const result = await scan('spec', { script: WRITES_NOTHING, answers: ['Scan'] });
    expect(result).toMatchObject(settledOn('skipped'));
    expect(asked.map(({ id }) => id)).toEqual(['spec.conventions']);
    expect(bench.events.filter(({ type }) => type === 'session.start')).toHaveLength(3);
  });
});

describe('the spec flow outside git', () => {
  beforeEach(() => open(false));

  test('goes on without conventions where no candidate is useful', async () => {
    bench.write({ 'CONTRIBUTING.md': long(49), 'sub/conventions.md': long(100), 'CLAUDE.md': long(100) });
    expect(await scan('spec')).toMatchObject({ ...settledOn('skipped'), warnings: [] });
    expect(asked).toEqual([]);
  });

  test('takes the only candidate, whatever the case of its name', async () => {
    bench.write({ 'Contributing.MD': long(50) });
    expect(await scan('spec')).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(conventions()).toBe(long(50));
  });

  test('offers the three longest of several, and Skip', async () => {
    bench.write({ 'policy.md': long(60), 'conventions.md': long(70), 'docs/style-guide.md': long(90), 'guidelines.md': long(55) });
    expect(await scan('spec', { answers: ['conventions.md'] })).toMatchObject(settledOn(CONVENTIONS_FILE));
    expect(asked[0]!.options.map(({ label }) => label)).toEqual(['docs/style-guide.md', 'conventions.md', 'policy.md', 'Skip']);
    expect(conventions()).toBe(long(70));
    expect(await scan('spec', { answers: ['Skip'] })).toMatchObject(settledOn('skipped'));
  });

  test('refuses links at the end and on the way, and says so', async () => {
    mkdirSync(join(bench.folder, 'elsewhere'));
    writeFileSync(join(bench.folder, 'elsewhere', 'conventions.md'), long(60));
    symlinkSync(join(bench.folder, 'elsewhere'), join(bench.root, 'docs'));
    symlinkSync(join(bench.folder, 'elsewhere', 'conventions.md'), join(bench.root, 'policy.md'));
    const result = await scan('spec');
    expect(result).toMatchObject(settledOn('skipped'));
    expect(result.kind === 'settled' && result.warnings).toEqual([
      expect.stringContaining('docs/conventions.md'),
      expect.stringContaining('policy.md'),
    ]);
  });
});
