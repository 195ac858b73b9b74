// Figures of the page: `node scripts/page/figures.mjs [--seconds 60] [--hour]`. A project gets 1,000 sessions and a million events; then a
// run with four lanes writes a hundred events a second while a browser looks, with `--hour` as many as in an hour, as fast as they come. Waiting times
// depend on what else the machine does; processor times less.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { makeProject, startHarness, startPage } from './night-project.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, hour: { type: 'boolean', default: false } } });
const [EVENTS, SESSIONS, LANES, EACH_SECOND] = [1_000_000, 1_000, 4, 100];
const TICKS = Number(execFileSync('getconf', ['CLK_TCK']));

/** Says something again and again, and touches its file so that it is not taken for stuck. */
const TALKER = `import { appendFileSync, readFileSync } from 'node:fs';
const { count, pause } = JSON.parse(readFileSync(process.env.HOME + '/talk.json', 'utf8'));
const write = (line) => new Promise((done) => process.stdout.write(line + '\\n', done));
const event = (value) => write(JSON.stringify(value));
for (let at = 0; at < count; at += 1) {
  if (at % 10 === 0) await event({ type: 'usage', input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 1_000, cost_usd: 0.000001 });
  else if (at % 3 === 0) await event({ type: 'tool', name: 'Bash', input: { command: 'node --test # ' + at } });
  else await write('This is line ' + at + ' of what I think.');
  if (at % 50 === 0) appendFileSync('src/talk.js', '// ' + at + '\\n');
  if (pause > 0) await new Promise((done) => setTimeout(done, pause));
}
await write('I have said all of it.');
setInterval(() => {}, 1_000);
`;

const started = [];
const folder = mkdtempSync(join(tmpdir(), 'harness-page-figures-'));
try {
  await measure();
} finally {
  for (const child of started) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

async function measure() {
  const files = readdirSync(join(root, 'dist/page'));
  const size = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(root, 'dist/page', name)), { level: 9 }).length, 0);
  console.log(`size of the page: ${(size / 1_000).toFixed(1)} kB gzipped`);
  const { project, env } = await makeProject(folder, TALKER);
  const logs = join(project, '.harness/logs');
  await fill(logs);
  const page = await startPage(env, project);
  started.push(page.child);
  const [{ id }] = await ask(page, 'projects');
  for (const view of ['state', 'night', 'features', 'money', `sessions/${SESSIONS + 50}`, 'sessions/60'])
    await printed(view, page, () => ask(page, `p/${id}/${view}`));
  const browser = await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium']).toString().trim(),
    args: ['--no-sandbox'],
  });
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(page.url);
  await tab.getByRole('heading', { level: 1 }).waitFor();
  const client = await context.newCDPSession(tab);
  await client.send('Performance.enable');
  const paint = async () => {
    await tab.goto('about:blank');
    await tab.goto(`${page.url.split('#')[0]}#/p/${id}/now`, { waitUntil: 'commit' });
    await tab.getByRole('heading', { level: 1, name: /features pass/ }).waitFor();
    return await tab.evaluate('performance.now()');
  };
  await printed('first paint of Now', page, paint, () => tabTime(browser));
  const run = async (talk) => {
    writeFileSync(join(env.HOME, 'talk.json'), JSON.stringify(talk));
    const child = startHarness(env, project, ['run', '--until-done', '--lanes', String(LANES), '--json']);
    started.push(child);
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    return () => new Promise((done) => child.once('close', done) && child.kill('SIGTERM'));
  };
  await (values.hour ? watchAnHour : watchLive)({ page, id, tab, client, browser, run });
  await browser.close();
}

/** Three times: what was waited for, and the processor time of the server and, where it is asked for, of the tab. */
async function printed(name, page, work, ofTab = async () => 0) {
  for (let round = 0; round < 3; round += 1) {
    const before = [processorTime(page.child.pid), performance.now(), await ofTab()];
    const waited = await work();
    const ms = typeof waited === 'number' ? waited : performance.now() - before[1];
    const server = (processorTime(page.child.pid) - before[0]) * 1_000;
    const tab = ((await ofTab()) - before[2]) * 1_000;
    console.log(
      `${name}: ${Math.round(ms)} ms; server ${Math.round(server)} ms${tab === 0 ? '' : `, tab ${Math.round(tab)} ms`} of a processor`,
    );
  }
}

/** A real run with four lanes, whose agents say one thing every 40 ms. */
async function watchLive({ page, id, tab, client, browser, run }) {
  const over = await run({ count: Number(values.seconds) * 60, pause: (LANES * 1_000) / EACH_SECOND });
  await lanesAtWork(page, id);
  const measured = async () => ({
    at: performance.now(),
    seq: (await ask(page, `p/${id}/state`)).seq,
    server: processorTime(page.child.pid),
    tab: await tabTime(browser),
    memory: residentSize(page.child.pid),
  });
  const before = await measured();
  await new Promise((done) => setTimeout(done, Number(values.seconds) * 1_000));
  const after = await measured();
  const passed = (after.at - before.at) / 1_000;
  const share = (what) => `${what} ${(((after[what] - before[what]) / passed) * 100).toFixed(1)} % of a core`;
  const each = Math.round((after.seq - before.seq) / passed);
  console.log(`${LANES} lanes, ${each} events a second, ${Math.round(passed)} s: ${share('server')}, ${share('tab')}`);
  console.log(`memory: server ${before.memory} → ${after.memory} MB, tab's heap ${await heapSize(client)} MB`);
  await tab
    .getByText('agent at work')
    .nth(LANES - 1)
    .waitFor();
  await over();
}

/** As many events as in an hour, as fast as the run and the page take them. */
async function watchAnHour({ page, id, tab, client, run }) {
  const begin = performance.now();
  const { seq } = await ask(page, `p/${id}/state`);
  const over = await run({ count: (3_600 * EACH_SECOND) / LANES, pause: 0 });
  await lanesAtWork(page, id);
  const told = async () => `server ${residentSize(page.child.pid)} MB, tab's heap ${await heapSize(client)} MB`;
  console.log(`at the begin: ${await told()}`);
  for (let left = LANES, looks = 0; left > 0; looks += 1) {
    await new Promise((done) => setTimeout(done, 1_000));
    left = LANES - (await tab.getByText('I have said all of it.').filter({ visible: true }).count());
    if (looks % 60 === 59) console.log(`after ${looks + 1} s: ${await told()}`);
  }
  const heard = (await ask(page, `p/${id}/state`)).seq - seq;
  console.log(`${heard} events, shown in ${Math.round((performance.now() - begin) / 1_000)} s: ${await told()}`);
  await over();
}

async function lanesAtWork(page, id) {
  for (let tries = 0; tries < 240; tries += 1) {
    const { watch } = await ask(page, `p/${id}/state`);
    if (watch.lanes.length === LANES && watch.lanes.every(({ cost_usd }) => cost_usd !== null)) return;
    await new Promise((done) => setTimeout(done, 1_000));
  }
  throw new Error('four lanes were never at work together');
}

/** Journal, spools and records, as the harness writes them. */
async function fill(logs) {
  const start = Date.now() - 30 * 86_400_000;
  const events = createWriteStream(join(logs, 'events.jsonl'), { flags: 'a' });
  const last = existsSync(join(logs, 'events.jsonl'))
    ? readFileSync(join(logs, 'events.jsonl'), 'utf8').trimEnd().split('\n').at(-1)
    : '{}';
  let seq = (JSON.parse(last).seq ?? 0) + 100_000;
  mkdirSync(join(logs, 'said'), { recursive: true });
  const each = EVENTS / SESSIONS;
  for (let session = 51; session < 51 + SESSIONS; session += 1) {
    const ts = (at) => new Date(start + (session * each + at) * 100).toISOString();
    const feature = (session % 7) + 1;
    const spool = [];
    const lines = [
      {
        ts: ts(0),
        type: 'session.start',
        level: 'important',
        seq: ++seq,
        session,
        feature,
        prompt: 'coding',
        backend: 'command',
        model: 'm',
        workspace: '/w',
      },
    ];
    for (let at = 1; at < each - 1; at += 1) {
      const event =
        at % 3 === 0
          ? { ts: ts(at), type: 'agent.tool', seq: ++seq, session, name: 'Bash', input: { command: `npm test -- ${at}` } }
          : { ts: ts(at), type: 'agent.text', seq: ++seq, session, text: `I look at part ${at} of the work and go on.` };
      // As the journal does: a sample there, all of it in the spool of the last fortnight's sessions.
      lines.push(at % 10 === 1 || session < 900 ? event : null);
      if (session >= 900) spool.push(event);
    }
    lines.push({
      ts: ts(each - 1),
      type: 'session.end',
      level: 'important',
      seq: ++seq,
      session,
      feature,
      outcome: 'verified',
      reasons: [],
      duration_ms: each * 100,
      cost_usd: 0.4,
    });
    if (
      !events.write(
        `${lines
          .filter((one) => one !== null)
          .map((one) => JSON.stringify(one))
          .join('\n')}\n`,
      )
    )
      await once(events, 'drain');
    if (spool.length > 0) {
      const file = join(logs, 'said', `session-${String(session).padStart(6, '0')}.jsonl`);
      writeFileSync(file, `${spool.map((one) => JSON.stringify(one)).join('\n')}\n`);
      utimesSync(file, new Date(ts(each)), new Date(ts(each)));
    }
    appendFileSync(
      join(logs, 'sessions.jsonl'),
      `${JSON.stringify({ ts: ts(each - 1), type: 'session', session_id: session, started_at: ts(0), ended_at: ts(each - 1), duration_seconds: 100, outcome: 'verified', reasons: [], termination_reason: 'complete', feature_id: feature, feature_completed: true, tokens_used: { input: 20_000, output: 2_000, cached: 90_000 }, cost_usd: 0.4, backend: 'command', model: 'm', prompt: 'coding' })}\n`,
    );
  }
  events.end();
  await once(events, 'finish');
}

async function ask(page, path) {
  const response = await fetch(`http://127.0.0.1:${page.port}/api/${path}`, { headers: { 'X-Harness-Token': page.url.split('=')[1] } });
  return await response.json();
}

/** In seconds. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

function residentSize(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_000);
}

/** Processor time of the tab's process, in seconds: of tasks only the time that passed is known. */
async function tabTime(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** In MB, without what could be thrown away. */
async function heapSize(client) {
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  return Math.round(metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 1e6);
}
