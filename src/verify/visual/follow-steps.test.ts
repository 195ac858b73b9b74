import { describe, expect, test } from 'vitest';
import type { Clock } from '../../platform/platform.ts';
import { followSteps, type Followed } from './follow-steps.ts';
import type { Page } from './page.ts';
import { readSteps } from './steps.ts';
import { createTroubles } from './troubles.ts';

/** Time passes only while somebody waits. */
function standingClock(): Clock {
  let now = 0;
  return { now: () => now, monotonic: () => now, sleep: async (ms) => void (now += ms) };
}

interface Site {
  /** Texts by address; what is clicked or typed is added to the page. */
  pages?: Record<string, string[]>;
  answersAfter?: number;
  has?: string[];
  status?: number;
}

/** A page of values, with the same surface as one in a browser. */
function fakePage({
  pages = { 'http://127.0.0.1:1/': ['Start'] },
  answersAfter = 0,
  has = [],
  status = 200,
}: Site): Page & { done: string[] } {
  let address = 'about:blank';
  let asked = 0;
  const done: string[] = [];
  const texts = (): string[] => [...(pages[address] ?? []), ...done];
  const named = (target: { name?: string; selector?: string }): Record<string, unknown> =>
    has.includes(target.name ?? target.selector ?? '') ? { x: 1, y: 1, done: false } : { missing: true };
  return {
    done,
    troubles: createTroubles([]),
    visit: async (to) => {
      if (asked++ < answersAfter) return { error: 'net::ERR_CONNECTION_REFUSED', status: null };
      address = to;
      return { error: null, status };
    },
    reload: async () => {},
    act: async (action, input) => {
      const values = input as { texts: string[]; target: { name?: string } };
      if (action === 'shows')
        return { shown: values.texts.every((one) => texts().includes(one)), any: values.texts.some((one) => texts().includes(one)) };
      if (action === 'text') return { text: texts().join(' ') };
      if (action === 'state') return { ready: 'complete', address };
      return named(action === 'point' ? (input as { name?: string }) : values.target);
    },
    click: async () => void done.push('clicked'),
    type: async (words) => void done.push(words),
    press: async (key) => void done.push(key),
    resize: async () => {},
    settle: async () => {},
    picture: async () => Buffer.from(texts().join(' ')),
  };
}

async function follow(sentences: readonly string[], site: Site = {}, mayAnswer = true): Promise<Followed> {
  const route = { url: 'http://127.0.0.1:1/', steps: readSteps(sentences), mayAnswer: async () => mayAnswer };
  return await followSteps(standingClock(), fakePage(site), route);
}

describe('steps on a page', () => {
  test('are followed in order, and a picture of the end is taken where the steps take none', async () => {
    const followed = await follow(['Fill "Name" with "Ada"', 'Press Enter', 'Expect "Ada"', 'Expect "Start"'], { has: ['Name'] });
    expect(followed).toMatchObject({ problems: [], unread: [], followed: 4, pictures: [{ name: 'at-the-end' }] });
  });

  test('begin where the first of them says', async () => {
    const pages = { 'http://127.0.0.1:1/other': ['Other'] };
    expect(await follow(['Navigate to /other', 'Expect "Other"', 'Screenshot of it'], { pages })).toMatchObject({
      problems: [],
      followed: 3,
      pictures: [{ name: 'it' }],
    });
  });

  test('wait for a server that takes its time, and not for one that has ended', async () => {
    expect(await follow(['Expect "Start"'], { answersAfter: 40 })).toMatchObject({ problems: [], followed: 1 });
    expect((await follow(['Expect "Start"'], { answersAfter: 1 }, false)).problems[0]).toContain('its startup command ended');
    expect((await follow([], { answersAfter: 100_000 })).problems[0]).toContain('nothing answered at http://127.0.0.1:1/ for 30 s');
  });

  test.each([
    ['a text that is not there', ['Expect "Ada"', 'Expect "Start"'], '“Expect "Ada"”: the page does not show it; it shows “Start”'],
    ['a text that should not be there', ['Expect "Start" is not visible'], 'the page still shows it'],
    ['a button that is not there', ['Click "Save"'], 'the page has no “Save”'],
    ['another address', ['Expect the URL /done'], 'the address is http://127.0.0.1:1/'],
  ])('end at %s, with a picture of that moment', async (_what, sentences, words) => {
    const { problems, pictures } = await follow(sentences);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(words);
    expect(pictures).toMatchObject([{ name: 'where-it-failed' }]);
  });

  test('a page that answers with an error is no page', async () => {
    expect((await follow([], { status: 500 })).problems).toEqual(['http://127.0.0.1:1/ answered with status 500']);
  });

  test('that nobody understands are told, and what fails after one that would have done something is told with them', async () => {
    expect(
      await follow(['Verify that it is pretty', 'Expect "Start"', 'Upload a file', 'Expect "Uploaded"', 'Click the Big Red button']),
    ).toMatchObject({
      problems: [],
      unread: ['Verify that it is pretty', 'Upload a file', 'Expect "Uploaded"', 'Click the Big Red button'],
      followed: 1,
    });
    expect((await follow(['Verify that it is pretty', 'Expect "Ada"'])).problems).toHaveLength(1);
  });

  test('never lead away from this machine', async () => {
    expect((await follow(['Navigate to https://example.org/'])).problems[0]).toContain('leads away from this machine');
    expect(await follow(['Expect "Start"', 'Open https://example.org/'])).toMatchObject({ unread: ['Open https://example.org/'] });
  });
});
