/** The page's server from the outside: who gets in, what is answered once, what the stream says, and what leaves in a report. */
import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, askingScene, get, idOf, json, openPage, post, type Page } from './page-support.ts';
import { copyScene, harness, type Scene } from './support.ts';

/** Events after a number until there are so many. */
async function heard(page: Page, path: string, count: number): Promise<{ seq: number; type: string }[]> {
  const over = new AbortController();
  const response = await fetch(`${page.origin}/api/${path}`, { headers: { 'X-Harness-Token': page.token }, signal: over.signal });
  const lines: { seq: number; type: string }[] = [];
  let rest = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const all = `${rest}${part}`.split('\n');
    rest = all.pop() ?? '';
    lines.push(...all.map((line) => JSON.parse(line) as { seq: number; type: string }));
    if (lines.length >= count) break;
  }
  over.abort();
  return lines;
}

let asked: Scene;

beforeAll(async () => {
  asked = await askingScene();
});

describe('who gets in', () => {
  test('nobody without the token, the address and the origin; refused is 403 and nothing else', async () => {
    const page = await openPage(asked);
    const id = await idOf(page);
    const token = { 'X-Harness-Token': page.token };
    const attacks: [string, string, Record<string, string>][] = [
      ['GET', '/api/projects', {}],
      ['GET', '/api/projects', { 'X-Harness-Token': 'f'.repeat(64) }],
      ['GET', '/api/projects', { Cookie: `token=${page.token}` }],
      ['GET', '/api/projects', { ...token, Host: 'evil.example' }],
      ['GET', '/', { Host: `evil.example:${page.port}` }],
      ['GET', `/api/p/${id}/hidden`, {}],
      ['POST', `/api/p/${id}/pause`, token],
      ['POST', `/api/p/${id}/pause`, { ...token, Origin: 'http://127.0.0.1:3000' }],
      ['POST', `/api/p/${id}/stop`, { ...token, Origin: 'null' }],
      ['OPTIONS', `/api/p/${id}/pause`, { Origin: 'http://evil.example', 'Access-Control-Request-Headers': 'x-harness-token' }],
    ];
    for (const [method, path, headers] of attacks) {
      const answer = await ask(page, method, path, headers);
      expect([method, path, headers, answer.status, answer.text]).toEqual([method, path, headers, 403, '']);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(JSON.parse((await get(page, `p/${id}/state`)).text)).toMatchObject({ paused: false });
  });

  test('the page itself holds no data, and lets no other code in', async () => {
    const page = await openPage(asked);
    const shell = await ask(page, 'GET', '/');
    expect(shell.status).toBe(200);
    expect(shell.text).not.toMatch(/calculator|token|<script>/);
    expect(shell.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
    expect(shell.headers['set-cookie']).toBeUndefined();
    expect((await ask(page, 'GET', '/assets/../../../package.json')).status).toBe(404);
    expect((await get(page, 'p/..%2f..%2fetc/state')).status).toBe(404);
    expect((await get(page, 'p/%E0%A4%A/state')).status).toBe(400);
  });

  test('the token is this user’s alone and the same after a restart; --new-token ends it, --readonly serves no write', async () => {
    const scene = await copyScene(asked);
    const first = await openPage(scene);
    expect((await stat(join(scene.env['HARNESS_HOME']!, 'ui.json'))).mode & 0o777).toBe(0o600);
    const second = await openPage(scene, '--readonly');
    expect(second.token).toBe(first.token);
    expect((await post(second, `p/${await idOf(second)}/pause`)).status).toBe(403);
    const third = await openPage(scene, '--new-token');
    expect(third.token).not.toBe(first.token);
    expect((await ask(third, 'GET', '/api/projects', { 'X-Harness-Token': first.token })).status).toBe(403);
  });
});

describe('what it says', () => {
  test('state, features, sessions, night and money are those of the commands', async () => {
    const page = await openPage(asked);
    const id = await idOf(page);
    const [state, features, session] = await Promise.all([
      json<{ project: object; questions: number }>(page, `p/${id}/state`),
      json<object[]>(page, `p/${id}/features`),
      json<{ story: { text: string }[]; patch: string; landed: boolean }>(page, `p/${id}/sessions/1`),
    ]);
    const status = JSON.parse((await harness(asked, 'status', '--json')).stdout) as object;
    expect(state).toMatchObject({ project: status, questions: 1, running: null });
    const rows = JSON.parse((await harness(asked, 'features', '--json')).stdout) as object[];
    expect(features).toMatchObject(rows);
    expect(session).toMatchObject({ landed: false, patch: expect.stringContaining('+export const subtract') });
    // Agents write text: control characters are gone, and the rest is what it was.
    expect(session.story.map(({ text }) => text).join('\n')).toContain('<script>alert(1)</script> evil');
    expect((await get(page, `p/${id}/sessions/99`)).status).toBe(404);
    expect(await json(page, `p/${id}/night`)).toMatchObject({
      next: { view: 'questions' },
      lines: expect.arrayContaining([expect.objectContaining({ kind: 'waits' })]),
    });
    expect(await json(page, `p/${id}/money`)).toMatchObject({ sessions: [expect.objectContaining({ session: 1 })] });
    expect(await json(page, `p/${id}/hidden`)).toEqual({ reviewed: null, tests: [] });
  });

  test('the stream has every number once, goes on after one, and with what is written later', async () => {
    const scene = await copyScene(asked);
    const page = await openPage(scene);
    const id = await idOf(page);
    const { seq } = await json<{ seq: number }>(page, `p/${id}/state`);
    const all = await heard(page, `p/${id}/events?after=0`, seq);
    expect(all.map((event) => event.seq)).toEqual(Array.from({ length: all.length }, (_, at) => at + 1));
    const middle = all[Math.floor(all.length / 2)]!.seq;
    const later = heard(page, `p/${id}/events?after=${middle}`, all.length - middle + 1);
    await appendFile(
      join(scene.project, '.harness/logs/events.jsonl'),
      `${JSON.stringify({ ts: new Date().toISOString(), type: 'warning', seq: all.at(-1)!.seq + 1, message: 'late' })}\n`,
    );
    expect((await later).map((event) => event.seq)).toEqual(Array.from({ length: all.length - middle + 1 }, (_, at) => middle + 1 + at));
  });

  test('projects whose folders are gone are not there', async () => {
    const scene = await copyScene(asked);
    const page = await openPage(scene);
    const own = async () => (await json<{ root: string }[]>(page, 'projects')).filter(({ root }) => root === page.root);
    expect(await own()).toMatchObject([{ name: 'calculator', features: { passing: 1, total: 3 } }]);
    await rm(scene.project, { recursive: true });
    expect(await own()).toEqual([]);
  });
});

describe('a person’s decisions', () => {
  test('of two answers at once one wins; the other is told which, also after a run has carried it out', async () => {
    // Not a copy: a question counts only where it was asked.
    const scene = await askingScene();
    const page = await openPage(scene);
    const id = await idOf(page);
    const [question] = await json<{ id: string; asked_at: string; session: number }[]>(page, `p/${id}/questions`);
    expect(question).toMatchObject({ session: 1 });
    const path = `p/${id}/answers/${question!.id}`;
    expect((await post(page, path, { option: 'nonsense' })).status).toBe(400);
    expect((await post(page, path, { option: 'Accept', asked_at: '2020-01-01T00:00:00.000Z' })).status).toBe(409);
    expect((await post(page, `p/${id}/answers/project.nothing`, { option: 'Accept' })).status).toBe(404);
    const answers = await Promise.all([post(page, path, { option: 'Accept' }), post(page, path, { option: 'Reject' })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(JSON.parse(answers[1].text)).toMatchObject({ answer: { option: 'Accept' } });
    expect(JSON.parse((await harness(scene, 'gates', '--json')).stdout)).toEqual([]);
    const run = await harness(scene, 'run', '--json');
    expect(run.events.map(({ type }) => type)).toContain('commit.created');
    // Both are in the journal, as the terminal showed them: a page that looks sees what was asked and answered elsewhere.
    const { seq } = await json<{ seq: number }>(page, `p/${id}/state`);
    const events = await heard(page, `p/${id}/events?after=0`, seq);
    expect(events).toContainEqual(expect.objectContaining({ type: 'gate.asked', left: true }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'gate.answered', id: question!.id, option: 'Accept', by: 'command' }));
    const late = await post(page, path, { option: 'Reject' });
    expect([late.status, JSON.parse(late.text)]).toMatchObject([409, { answer: { option: 'Accept' } }]);
  });

  test('pause and resume are the commands', async () => {
    const scene = await copyScene(asked);
    const page = await openPage(scene);
    const id = await idOf(page);
    expect((await post(page, `p/${id}/pause`)).status).toBe(200);
    expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ paused: true });
    expect((await post(page, `p/${id}/resume`)).status).toBe(200);
    expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ paused: false });
    expect((await post(page, `p/${id}/stop`)).text).toBe('{"stopped":null}');
    expect((await post(page, `p/${id}/explode`)).status).toBe(404);
  });
});

describe('a report', () => {
  test('is one file without secrets and without requests, and harness ui reads it without running it', async () => {
    const scene = await copyScene(asked);
    await mkdir(join(scene.project, '.harness/hidden'), { recursive: true });
    const planted = {
      number: 1,
      feature: 1,
      description: 'd',
      behaviour: 'PLANTED BEHAVIOUR',
      code: 'PLANTED CODE',
      path: 'x',
      released: null,
    };
    await writeFile(
      join(scene.project, '.harness/hidden/kept.json'),
      JSON.stringify({ schema_version: 1, harness_version: '1', next: 2, tests: [planted] }),
    );
    const file = join(scene.folder, 'report.html');
    const made = await harness(scene, 'report', '--html', file);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    const html = await readFile(file, 'utf8');
    expect(html.length).toBeLessThan(3_000_000);
    expect(html).toContain('subtract');
    const page = await openPage(scene);
    for (const secret of ['abcdefghijkl', scene.env['HOME']!, scene.folder, page.token, 'PLANTED']) expect(html).not.toContain(secret);
    expect(await json(page, `p/${await idOf(page)}/hidden`)).toMatchObject({ tests: [{ code: 'PLANTED CODE' }] });
    for (const other of ['state', 'features', 'night', 'money', 'sessions/1', 'questions'])
      expect((await get(page, `p/${await idOf(page)}/${other}`)).text).not.toContain('PLANTED');
    expect(html).not.toMatch(/(?:src|href)="(?!#)/);
    const shown = await openPage(scene, file);
    expect(await json(shown, 'page')).toMatchObject({ readonly: true, report: { schema: 'harness-report.v1' } });
    expect(await json(shown, 'projects')).toEqual([]);
    const stranger = join(scene.folder, 'other.html');
    await writeFile(stranger, '<p>no report</p>');
    expect(await harness(scene, 'ui', stranger, '--no-open')).toMatchObject({ code: 2 });
  });
});

test('show tells the whole session, in text and in JSON', async () => {
  const shown = await harness(asked, 'show');
  expect(shown.stdout).toMatch(/^Session 1, feature #2: A user subtracts two numbers\nneeds_human: tamper\.harness_state/);
  expect(shown.stdout).toContain('\nWhat happened\n');
  expect(shown.stdout).toContain('+export const subtract');
  expect(JSON.parse((await harness(asked, 'show', '#2', '--json')).stdout)).toMatchObject({ session: 1, landed: false });
  expect(await harness(asked, 'show', '99')).toMatchObject({ code: 2 });
});
