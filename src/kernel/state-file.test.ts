import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import { openDocuments } from './documents/documents.ts';
import type { Place } from './place.ts';
import { changeDraft, changeSpec, changeWorkflow, changeWorkflowV1, createSession, readSession } from './state-file.ts';

const platform = nodePlatform({});
let stateDir: string;
let place: Pick<Place, 'platform' | 'documents'>;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'harness-state-file-'));
  place = { platform, documents: documentsOn(platform) };
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const documentsOn = (on: Platform) => openDocuments(on, folderStore(on, stateDir), { onNewerState: 'abort' });
const put = (value: unknown) => writeFile(join(stateDir, 'state.json'), typeof value === 'string' ? value : JSON.stringify(value));
const stored = async () => JSON.parse(await readFile(join(stateDir, 'state.json'), 'utf8')) as Record<string, unknown>;
const read = (setAside = true) => readSession(place.documents, { writer: setAside });

const workflow = { version: '2.0', task: 'Fix the login', mode: 'single', model_config: { preset: 'balanced' }, phase: 'plan_done' };

describe('what is there', () => {
  test('no file is no session', async () => expect(await read()).toEqual({ kind: 'none' }));

  test('the skill and the version tell the kinds apart', async () => {
    const kinds: unknown[] = [];
    for (const value of [
      workflow,
      { ...workflow, skill: 'workflow' },
      { version: '2.0', task: 't' },
      { task: 't', phase: 'gen_ready' },
      { skill: 'spec', task: 't', phase: 'qa_active' },
      { skill: 'refactor', whatever: [] },
    ]) {
      await put(value);
      kinds.push((await read()).kind);
    }
    expect(kinds).toEqual(['workflow-v2', 'workflow-v2', 'workflow-draft', 'workflow-v1', 'spec', 'other']);
  });

  test.each([
    ['not JSON', '{"version": "2.0"'],
    ['a list', []],
    ['an unknown version', { ...workflow, version: '3.1' }],
    ['an unknown phase', { ...workflow, phase: 'dreaming' }],
    ['a negative round', { ...workflow, round: -1 }],
    ['an unknown spec phase', { skill: 'spec', task: 't', phase: 'plan_done' }],
    ['a skill that is no text', { ...workflow, skill: 7 }],
  ])('%s is set aside by a writer, left by a looker, and exit 2 for both', async (_, value) => {
    await put(value);
    const before = await readFile(join(stateDir, 'state.json'), 'utf8');
    await expect(read(false)).rejects.toMatchObject({ exitCode: 2 });
    expect(await readdir(stateDir)).toEqual(['state.json']);
    await expect(read(true)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('set aside') });
    const [aside] = await readdir(stateDir);
    expect(aside).toMatch(/^state\.json\.unreadable-/);
    expect(await readFile(join(stateDir, aside!), 'utf8')).toBe(before);
  });

  test('a file of a newer version stays where it is', async () => {
    await put({ ...workflow, schema_version: 2 });
    await expect(read(true)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('newer') });
    expect(await readdir(stateDir)).toEqual(['state.json']);
  });
});

describe('missing fields', () => {
  test('of an old workflow have their values in memory and are not written back', async () => {
    await put(workflow);
    const session = await read();
    expect(session).toMatchObject({
      kind: 'workflow-v2',
      state: {
        skill: 'workflow',
        cli_flags: { verifier_model: null, output_dir: null },
        model_config: { preset: 'balanced', verifier: 'haiku' },
        verify: { layer1_result: null, layer1_retries: 0, layer2_retries: 0, autofix_attempted: false },
        autofix: null,
        docs_path: 'docs/harness/fix-the-login/',
        slug: 'fix-the-login',
        conventions: null,
        has_git: null,
        round: 1,
        max_rounds: 3,
        max_files: 20,
        harness: { sessions: 0, base_commit: null, candidate_tree: null },
      },
    });
    expect(await stored()).toEqual(workflow);
    await changeWorkflow(place, { phase: 'generate_ready' });
    expect(Object.keys(await stored()).toSorted()).toEqual(
      [...Object.keys(workflow), 'schema_version', 'harness_version', 'updated_at'].toSorted(),
    );
  });

  test('of an old spec session are null', async () => {
    await put({ skill: 'spec', task: 't', phase: 'qa_complete', docs_path: 'docs/harness/my-spec/' });
    expect(await read()).toMatchObject({
      kind: 'spec',
      state: { cli_flags: { reference: null }, conventions: null, critic: null, qa_round: null, mode: null, slug: 'my-spec' },
    });
  });

  test('an unknown word in critic.applied counts as none', async () => {
    await put({ skill: 'spec', task: 't', phase: 'critic_active', critic: { applied: 'perhaps', round: 0, failure_reason: 'odd' } });
    expect(await read()).toMatchObject({ state: { critic: { applied: null, round: 0, last_findings_path: null, failure_reason: null } } });
  });

  test('of a session without version leave verify out, and it stays without version', async () => {
    await put({ task: 't', phase: 'gen_ready' });
    expect(await read()).toMatchObject({ kind: 'workflow-v1', state: { verify: null } });
    await changeWorkflowV1(place, { phase: 'eval_ready' });
    expect(await stored()).not.toHaveProperty('version');
    expect(await read()).toMatchObject({ kind: 'workflow-v1', state: { phase: 'eval_ready' } });
  });
});

describe('writing', () => {
  test('a session begins as a draft and grows in one file with both versions', async () => {
    await createSession(place, {
      skill: 'workflow',
      version: '2.0',
      task: 'Fix it',
      user_lang: 'de',
      docs_path: 'docs/harness/fix-it/',
      slug: 'fix-it',
    });
    expect(await read()).toMatchObject({ kind: 'workflow-draft', state: { task: 'Fix it', user_lang: 'de' } });
    expect(await changeDraft(place, { has_git: true })).toMatchObject({ has_git: true, task: 'Fix it' });
    const state = await changeWorkflow(place, {
      mode: 'multi',
      model_config: { preset: 'default', executor: null, advisor: null, evaluator: null, verifier: 'opus' },
      phase: 'plan_ready',
    });
    expect(state).toMatchObject({ mode: 'multi', user_lang: 'de', slug: 'fix-it' });
    expect(await stored()).toMatchObject({
      schema_version: 1,
      harness_version: expect.stringMatching(/^\d/),
      updated_at: expect.any(String),
      phase: 'plan_ready',
    });
  });

  test('fields that nobody knows survive, also inside others', async () => {
    await put({ ...workflow, future: { a: 1 }, verify: { layer1_retries: 2, extra: true }, harness: { sessions: 3, mine: 'x' } });
    const session = await read();
    if (session.kind !== 'workflow-v2') throw new Error(session.kind);
    await changeWorkflow(place, {
      verify: { ...session.state.verify, layer1_result: 'FAIL' },
      harness: { ...session.state.harness, sessions: 4 },
    });
    expect(await stored()).toMatchObject({
      future: { a: 1 },
      verify: { layer1_retries: 2, extra: true, layer1_result: 'FAIL' },
      harness: { sessions: 4, mine: 'x' },
    });
  });

  test('several fields change in one write', async () => {
    await put({ skill: 'spec', task: 't', phase: 'spec_ready', critic: { applied: 'approved', round: 1 } });
    const writes: string[] = [];
    const watched = {
      ...platform,
      files: {
        ...platform.files,
        writeAtomic: (path: string, data: string | Uint8Array) => {
          writes.push(String(data));
          return platform.files.writeAtomic(path, data);
        },
      },
    };
    await changeSpec({ platform: watched, documents: documentsOn(watched) }, { critic: null, phase: 'qa_complete' });
    expect(writes).toHaveLength(1);
    expect(JSON.parse(writes[0]!)).toMatchObject({ critic: null, phase: 'qa_complete' });
  });

  test('a change that would not be understood again never reaches the disk', async () => {
    await put(workflow);
    await expect(changeWorkflow(place, { round: -1 })).rejects.toThrow();
    await expect(changeSpec(place, {})).rejects.toThrow('cannot be changed as spec');
    expect(await stored()).toEqual(workflow);
  });

  test('a session that vanished is not made up again', async () => {
    await expect(changeWorkflow(place, { phase: 'completed' })).rejects.toMatchObject({ exitCode: 2 });
    expect(await readdir(stateDir)).toEqual([]);
  });
});

test('whatever JSON is in the file, it is understood or refused with exit 2, never a defect', async () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        version: fc.constantFrom('2.0', '1'),
        skill: fc.constantFrom('spec', 'workflow', 'x'),
        task: fc.jsonValue(),
        phase: fc.constantFrom('setup', 'planning', null, 3),
        verify: fc.jsonValue(),
        critic: fc.jsonValue(),
        harness: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(value, async (given) => {
      await put(given ?? 'null');
      const result = await read(false).then(
        () => 2,
        (error: { exitCode?: number }) => error.exitCode,
      );
      expect(result).toBe(2);
    }),
    { numRuns: 150 },
  );
});
