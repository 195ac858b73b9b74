// Figures of the page: `node scripts/page/figures.mjs [--seconds 60] [--hour]`. A project gets 1,000 sessions and a million events; then a
// run with four lanes writes a hundred events a second while a browser looks. With `--hour` the lanes start and fall silent, and this script writes
// what they would have said in an hour to the journal and the spools, in three minutes. Waiting times depend on what else the machine does;
// processor times less.
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
const HOUR_TAKES_MS = 180_000;
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
setInterval(() => appendFileSync('src/talk.js', '// silent\\n'), 10_000);
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

/** As many events as in an hour: written in bursts beside a run whose four agents are silent. */
async function watchAnHour({ page, id, tab, client, run }) {
  const over = await run({ count: 40, pause: 40 });
  await lanesAtWork(page, id);
  await tab
    .getByText('I have said all of it.')
    .nth(LANES - 1)
    .waitFor();
  const state = () => ask(page, `p/${id}/state`);
  const { seq, watch, root: place } = await state();
  const told = async () => `server ${residentSize(page.child.pid)} MB, tab's heap ${await heapSize(client)} MB`;
  console.log(`before the hour: ${await told()}`);
  const [begin, count] = [performance.now(), 3_600 * EACH_SECOND];
  const hour = writerOfAnHour(join(place, '.harness/logs'), { sessions: watch.lanes.map(({ session }) => session), seq, count });
  for (let written = 0, minutes = 0; written < count;) {
    written = hour.writeUntil(Math.floor(((performance.now() - begin) / HOUR_TAKES_MS) * count));
    if (Math.floor((written / count) * 6) > minutes) console.log(`after ${(minutes += 1) * 10} of 60 minutes: ${await told()}`);
    await new Promise((done) => setTimeout(done, 250));
  }
  const last = tab.getByText(`This is line ${count} of what I think.`).filter({ visible: true });
  await last.first().waitFor({ timeout: 60_000 });
  const shown = Math.round((performance.now() - begin) / 1_000);
  console.log(`${count} events, all shown after ${shown} s: ${await told()}; server at most ${residentSize(page.child.pid, 'VmHWM')} MB`);
  const kept = (await state()).watch.lanes.length;
  await tab.reload();
  await tab
    .getByText('agent at work')
    .nth(LANES - 1)
    .waitFor({ timeout: 30_000 });
  console.log(`opened again: ${kept} lanes, ${await told()}`);
  await over();
}

/** As the journal does it: all that is said in the spools, a tenth of it and all usage in the journal. */
function writerOfAnHour(logs, { sessions, seq, count }) {
  let at = 0;
  const eventOf = (session) => {
    const head = { ts: new Date().toISOString(), seq: seq + at, session };
    if (at % 10 === 0 && at < count)
      return {
        ...head,
        type: 'agent.usage',
        level: 'important',
        usage: { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 0 },
        context_tokens: 1_100,
        context_window: 200_000,
        cost_usd: 0.000001,
      };
    if (at % 3 === 0 && at < count) return { ...head, type: 'agent.tool', name: 'Bash', input: { command: `node --test # ${at}` } };
    return { ...head, type: 'agent.text', text: `This is line ${at} of what I think.` };
  };
  return {
    writeUntil: (wanted) => {
      const files = new Map();
      const add = (file, event) => files.set(file, `${files.get(file) ?? ''}${JSON.stringify(event)}\n`);
      while (at < Math.min(wanted, count)) {
        at += 1;
        const session = sessions[Math.floor(at / 7) % sessions.length];
        const event = eventOf(session);
        if (event.type !== 'agent.usage') add(spoolOf(session), event);
        if (event.type === 'agent.usage' || at % 10 === 1) add('events.jsonl', { level: 'routine', ...event });
      }
      for (const [file, lines] of files) appendFileSync(join(logs, file), lines);
      return at;
    },
  };
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
      const file = join(logs, spoolOf(session));
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

/** In MB. */
function residentSize(pid, which = 'VmRSS') {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${which}:`));
  return Math.round(Number(/\d+/.exec(line)[0]) / 1_000);
}

function spoolOf(session) {
  return `said/session-${String(session).padStart(6, '0')}.jsonl`;
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
