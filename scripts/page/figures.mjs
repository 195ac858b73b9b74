// Figures of the page: `node scripts/page/figures.mjs [--seconds 60] [--hour]`. A project gets 1,000 sessions and a million events; then four lanes
// write a hundred events a second while a browser looks, with `--hour` as many as in an hour, as fast as the page takes them. Waiting times
// depend on what else the machine does; processor times hardly do.
import { execFileSync } from 'node:child_process';
import { appendFileSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { makeProject, startPage } from './night-project.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, hour: { type: 'boolean', default: false } } });
const [EVENTS, SESSIONS, LANES, EACH_SECOND] = [1_000_000, 1_000, 4, 100];
const USAGE = {
  usage: { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 0 },
  context_window: 200_000,
};

const TICKS = Number(execFileSync('getconf', ['CLK_TCK']));

const folder = mkdtempSync(join(tmpdir(), 'harness-page-figures-'));
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure() {
  const files = readdirSync(join(root, 'dist/page'));
  const size = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(root, 'dist/page', name)), { level: 9 }).length, 0);
  console.log(`size of the page: ${(size / 1_000).toFixed(1)} kB gzipped`);
  const { project, env } = await makeProject(folder);
  const logs = join(project, '.harness/logs');
  const seq = await fill(logs);
  const page = await startPage(env, project);
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
  await printed('first paint of Now', page, paint, async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value;
  });
  await (values.hour ? watchAnHour : watchLive)({ logs, seq, page, id, tab, client });
  await browser.close();
  page.child.kill('SIGTERM');
}

/** Three times: what was waited for, and the processor time of the server and, where it is asked for, of the tab. */
async function printed(name, page, work, tabTime = async () => 0) {
  for (let round = 0; round < 3; round += 1) {
    const before = [processorTime(page.child.pid), performance.now()];
    const waited = await work();
    const ms = typeof waited === 'number' ? waited : performance.now() - before[1];
    const server = (processorTime(page.child.pid) - before[0]) * 1_000;
    const tab = (await tabTime()) * 1_000;
    console.log(
      `${name}: ${Math.round(ms)} ms; server ${Math.round(server)} ms${tab === 0 ? '' : `, tab ${Math.round(tab)} ms`} of a processor`,
    );
  }
}

async function watchLive({ logs, seq, page, id, tab, client }) {
  const measured = async () => ({
    server: processorTime(page.child.pid),
    tab: await taskTime(client),
    memory: residentSize(page.child.pid),
  });
  const before = await measured();
  const begin = performance.now();
  const lanes = openLanes(logs, seq);
  for (let at = 0; performance.now() - begin < Number(values.seconds) * 1_000; at += 1) {
    lanes.write(1);
    const due = begin + (at + 1) * (1_000 / EACH_SECOND);
    if (due > performance.now()) await new Promise((done) => setTimeout(done, due - performance.now()));
  }
  const passed = (performance.now() - begin) / 1_000;
  const after = await measured();
  const share = (what) => `${what} ${(((after[what] - before[what]) / passed) * 100).toFixed(1)} % of a core`;
  console.log(`${LANES} lanes, ${EACH_SECOND} events a second, ${Math.round(passed)} s: ${share('server')}, ${share('tab')}`);
  console.log(`memory: server ${before.memory} → ${after.memory} MB, tab's heap ${await heapSize(client)} MB`);
  await tab.getByText(`line ${lanes.lastLine()} of`).first().waitFor();
  const shown = await ask(page, `p/${id}/state`);
  console.log(`lanes shown: ${shown.watch.lanes.length}, last number ${shown.seq} of ${lanes.seq()}`);
}

/** Ten seconds of events at once, and the next when the tab shows the last of them. */
async function watchAnHour({ logs, seq, page, tab, client }) {
  const lanes = openLanes(logs, seq);
  const begin = performance.now();
  for (let batch = 0; batch <= 360; batch += 1) {
    if (batch % 90 === 0)
      console.log(
        `after ${batch / 6} minutes of events: server ${residentSize(page.child.pid)} MB, tab's heap ${await heapSize(client)} MB`,
      );
    lanes.write(10 * EACH_SECOND);
    await tab.getByText(`line ${lanes.lastLine()} of`).first().waitFor({ timeout: 120_000 });
  }
  console.log(`an hour of events, shown in ${Math.round((performance.now() - begin) / 1_000)} s`);
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
    if (spool.length > 0)
      appendFileSync(
        join(logs, 'said', `session-${String(session).padStart(6, '0')}.jsonl`),
        `${spool.map((one) => JSON.stringify(one)).join('\n')}\n`,
      );
    appendFileSync(
      join(logs, 'sessions.jsonl'),
      `${JSON.stringify({ ts: ts(each - 1), type: 'session', session_id: session, started_at: ts(0), ended_at: ts(each - 1), duration_seconds: 100, outcome: 'verified', reasons: [], termination_reason: 'complete', feature_id: feature, feature_completed: true, tokens_used: { input: 20_000, output: 2_000, cached: 90_000 }, cost_usd: 0.4, backend: 'command', model: 'm', prompt: 'coding' })}\n`,
    );
  }
  events.end();
  await once(events, 'finish');
  return seq;
}

/** Sessions in the air that go on, as four lanes write them. */
function openLanes(logs, from) {
  let seq = from;
  let at = 0;
  let last = 0;
  const line = (event) => `${JSON.stringify({ ts: new Date().toISOString(), ...event, seq: ++seq })}\n`;
  const sessions = Array.from({ length: LANES }, (_, lane) => 2_000 + lane);
  const lanes = sessions.map((session, lane) => ({
    session,
    feature: lane + 1,
    prompt: 'coding',
    backend: 'b',
    model: 'm',
    lane: `lane-${lane + 1}`,
  }));
  for (const lane of lanes) appendFileSync(join(logs, 'events.jsonl'), line({ type: 'session.start', ...lane, workspace: '' }));
  const next = (session) => {
    if (at % 10 === 0)
      return ['events.jsonl', { type: 'agent.usage', session, ...USAGE, context_tokens: 1_000 + (at % 150_000), cost_usd: 0.001 }];
    const said = `said/session-${String(session).padStart(6, '0')}.jsonl`;
    if (at % 3 === 0) return [said, { type: 'agent.tool', session, name: 'Bash', input: { command: `step ${at}` } }];
    last = at;
    return [said, { type: 'agent.text', session, text: `This is line ${at} of what I think.` }];
  };
  return {
    seq: () => seq,
    lastLine: () => last,
    write: (count) => {
      const files = new Map();
      for (let written = 0; written < count; written += 1, at += 1) {
        const [file, event] = next(sessions[at % LANES]);
        files.set(file, `${files.get(file) ?? ''}${line(event)}`);
      }
      for (const [file, text] of files) appendFileSync(join(logs, file), text);
    },
  };
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

async function taskTime(client) {
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** In MB, without what could be thrown away. */
async function heapSize(client) {
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  return Math.round(metrics.find(({ name }) => name === 'JSHeapUsedSize').value / 1e6);
}
