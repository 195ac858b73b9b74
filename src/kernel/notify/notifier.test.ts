import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HarnessEvent } from '../../domain/event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { folderShelf } from '../../store/folder-store.ts';
import type { NotificationBody } from './body.ts';
import { endNotice, noticeOf, withoutKeys } from './notification.ts';
import { createNotifier, type Notifier, type NotifierSettings } from './notifier.ts';

const platform = nodePlatform();
const END = endNotice({ command: 'run', outcome: 'needs_human', exit_code: 8, message: 'One question waits.' });
let folder: string;
let warnings: string[];
let rung: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-notify-'));
  [warnings, rung] = [[], 0];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a webhook', () => {
  let server: Server;
  let bodies: NotificationBody[];
  let refusals: number;

  beforeEach(async () => {
    [bodies, refusals] = [[], 0];
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        refusals -= 1;
        if (refusals < 0) bodies.push(JSON.parse(text) as NotificationBody);
        response.writeHead(refusals < 0 ? 200 : 503).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const webhook = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`;

  test('is told of a question at once, and of what follows soon after together with the end', async () => {
    const notifier = open({ webhook: webhook() });
    notifier.see(asked(1));
    await expect.poll(() => bodies.length).toBe(1);
    for (const feature of [2, 3]) notifier.see(asked(feature));
    await notifier.end(END);
    expect(bodies.map(({ type, notices }) => [type, notices.map((one) => one.type)])).toEqual([
      ['question', ['question']],
      ['end', ['question', 'question', 'end']],
    ]);
    expect(bodies[0]).toMatchObject({ schema: 'harness-notification.v1', project: 'p', message: expect.stringContaining('#1') });
    expect(bodies[1]?.notices.at(-1)).toMatchObject({ outcome: 'needs_human', exit_code: 8 });
  });

  test('is asked again when it fails, and a lost notification is told once, without its address', async () => {
    refusals = 2;
    await open({ webhook: webhook() }).end(END);
    expect(bodies).toHaveLength(1);
    refusals = 9;
    await open({ webhook: webhook() }).end(END);
    expect(bodies).toHaveLength(1);
    expect(warnings).toEqual([expect.stringMatching(/notify\.webhook did not get through: the server answered 503/)]);
    expect(warnings[0]).not.toContain('secret-path');
  });

  test('is told of a question once, also by the next run, and of an escalation and its question as one', async () => {
    const first = open({ webhook: webhook(), on: ['question', 'escalation'] });
    first.see({ type: 'escalation', trigger: 'project.stuck', message: 'stuck?', options: [], file: 'f' });
    first.see(asked(1));
    await first.end(END);
    const second = open({ webhook: webhook() });
    second.see(asked(1));
    await second.end(END);
    expect(bodies.map(({ notices }) => notices.map((one) => one.type))).toEqual([['escalation'], ['end']]);
  });

  test('is told of the end also while a question is on its way', async () => {
    for (let round = 0; round < 20; round++) {
      const notifier = open({ webhook: webhook() });
      notifier.see(asked(100 + round));
      for (let turn = 0; turn < round; turn++) await Promise.resolve();
      await notifier.end(END);
      expect(bodies.at(-1)?.notices.at(-1)?.type, `after ${round} turns`).toBe('end');
    }
  });
});

test('a command reads the same as JSON; the bell rings', async () => {
  const notifier = open({ command: `cat > ${join(folder, 'seen.json')}`, bell: true });
  notifier.see({
    type: 'budget.reached',
    scope: 'feature',
    percent: 80,
    spent_usd: 8.5,
    budget_usd: 10,
    session: 3,
    feature: 2,
  });
  await notifier.end(END);
  const body = JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8')) as NotificationBody;
  expect(body.message).toContain('80 % of the budget of feature #2 is spent: $8.50 of $10.00.');
  expect(rung).toBeGreaterThan(0);
});

test('what looks like a key does not leave the machine', () => {
  const texts = ['sk-ant-REDACTED', 'ghp_abcdefghijklmnop1234', 'password: hunter22', 'https://ada:geheim@host/x'];
  for (const text of texts) expect(withoutKeys(`uses ${text} here`)).toMatch(/^uses .*\[hidden\].*here$/);
  const notice = noticeOf(asked(1, 'changes .npmrc (token=npm_abcdefghijklmnop)'));
  expect(notice?.message).toContain('[hidden]');
  expect(notice?.message).not.toContain('abcdefghijklmnop');
});

function open(settings: Partial<NotifierSettings>): Notifier {
  const ground = {
    platform,
    cwd: folder,
    project: 'p',
    shelf: folderShelf(platform, folder),
    ring: () => void (rung += 1),
    warn: (message: string) => void warnings.push(message),
  };
  return createNotifier(ground, {
    command: null,
    webhook: null,
    bell: false,
    on: ['question', 'escalation', 'budget', 'end'],
    ...settings,
  });
}

function asked(feature: number, question = `Feature #${feature} is not finished. What now?`): HarnessEvent {
  const gate = { id: `project.stuck:${feature}`, asked_at: '2026-01-01T00:00:00.000Z', header: 'h', question, options: [] };
  return { type: 'gate.asked', gate: { ...gate, non_negotiable: false, context: [] } };
}
