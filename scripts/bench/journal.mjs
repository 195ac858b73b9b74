// The journal: appends a second with a flush at the end, and questions to a million events.
import { join } from 'node:path';
import { median, milliseconds } from './table.mjs';

const TARGET_APPENDS = 100_000;
const TARGET_QUERY_MS = 1_000;
const EVENTS = 1_000_000;
const SESSIONS = 2_000;

const QUESTIONS = {
  'one session': 'session=1234',
  'one type and a text': 'type=agent.text and text~"step 77777"',
  'a rare type': 'type=agent.error',
  'either of two, not a third': '(type=session.end or type=agent.error) and not session=7',
  'nothing matches': 'text~"no such words"',
};

export async function measure({ scratch, quick, sources }) {
  const platform = sources.nodePlatform();
  const batch = quick ? 100_000 : 200_000;
  const rates = [];
  for (let run = 0; run < (quick ? 3 : 5); run++)
    rates.push((await fill(sources, platform, join(scratch, `appends-${run}`), batch)).perSecond);
  const rate = median(rates);
  const directory = join(scratch, 'million');
  await fill(sources, platform, directory, EVENTS);
  const rows = [
    {
      name: `journal appends a second (median of ${rates.length} times ${batch}, flushed)`,
      figure: `${Math.round(rate).toLocaleString('en')}`,
      target: `${TARGET_APPENDS.toLocaleString('en')} or more`,
      met: rate >= TARGET_APPENDS,
    },
  ];
  for (const [name, expression] of Object.entries(QUESTIONS)) {
    const { elapsed, found } = await ask(sources, platform, directory, expression, quick ? 2 : 3);
    rows.push({
      name: `query over a million events: ${name}`,
      figure: `${milliseconds(elapsed)} (${found} found)`,
      target: `at most ${TARGET_QUERY_MS} ms`,
      met: elapsed <= TARGET_QUERY_MS,
    });
  }
  return rows;
}

async function fill(sources, platform, directory, count) {
  const journal = await sources.openJournal(platform, directory, { level: 'debug', harnessVersion: 'bench' });
  const begin = performance.now();
  for (let index = 0; index < count; index++) {
    journal.append(eventAt(index));
    if (index % 10_000 === 9_999) await new Promise((resolve) => setImmediate(resolve));
  }
  await journal.flush();
  const perSecond = count / ((performance.now() - begin) / 1_000);
  await journal.close();
  return { perSecond };
}

function eventAt(index) {
  const session = Math.floor((index * SESSIONS) / EVENTS);
  const ts = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
  if (index % 500 === 499)
    return { ts, type: 'session.end', session, feature: session, outcome: 'verified', reasons: [], duration_ms: 61_000, cost_usd: 0.42 };
  if (index % 7_919 === 0) return { ts, type: 'agent.error', session, message: 'the connection was reset', class: 'retry_now' };
  if (index % 3 === 0)
    return { ts, type: 'agent.tool', session, name: 'shell', input: { command: `node --test tests/part-${index % 97}.test.js` } };
  return { ts, type: 'agent.text', session, text: `step ${index}: looked at the file, changed a line and ran the tests again` };
}

async function ask(sources, platform, directory, expression, runs) {
  const times = [];
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    found = (await sources.queryJournal(platform, directory, expression)).length;
    times.push(performance.now() - begin);
  }
  return { elapsed: median(times), found };
}
