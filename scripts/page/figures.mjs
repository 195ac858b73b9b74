// Figures of the page: `node scripts/page/figures.mjs PROJECT_FOLDER [--seconds 60]`, where PROJECT_FOLDER is what
// `scripts/page-pictures.mjs --keep` left. A copy of its project gets 1,000 sessions and a million events; then four lanes write a hundred
// events a second while a browser looks.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { startPage } from './night-project.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [source] = process.argv.slice(2);
const seconds = Number(process.argv[process.argv.indexOf('--seconds') + 1] || 60) || 60;
const [EVENTS, SESSIONS, LANES, EACH_SECOND] = [1_000_000, 1_000, 4, 100];
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
  cpSync(resolve(source), folder, { recursive: true, verbatimSymlinks: true });
  const project = join(folder, 'household');
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'user'),
    HARNESS_HOME: join(folder, 'harness-home'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const logs = join(project, '.harness/logs');
  let seq = await fill(logs);
  const page = await startPage(env, project);
  const projects = await ask(page, 'projects');
  const { id } = projects.find((one) => one.root === project);
  for (const view of ['state', 'night', 'features', 'money', `sessions/${SESSIONS + 50}`]) {
    const times = [];
    for (let round = 0; round < 3; round += 1) times.push(await timed(() => ask(page, `p/${id}/${view}`)));
    console.log(`${view}: ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
  }
  const browser = await chromium.launch({
    executablePath: execFileSync('sh', ['-c', 'command -v chromium']).toString().trim(),
    args: ['--no-sandbox'],
  });
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(page.url);
  await tab.getByRole('heading', { level: 1 }).waitFor();
  for (let round = 0; round < 3; round += 1) {
    await tab.goto('about:blank');
    await tab.goto(`${page.url.split('#')[0]}#/p/${id}/now`, { waitUntil: 'commit' });
    await tab.getByRole('heading', { level: 1, name: /features pass/ }).waitFor();
    const painted = await tab.evaluate('performance.now()');
    console.log(`first paint of Now: ${Math.round(painted)} ms`);
  }
  const client = await context.newCDPSession(tab);
  await client.send('Performance.enable');
  const before = { server: processorTime(page.child.pid), tab: await taskTime(client), memory: residentSize(page.child.pid) };
  const begin = performance.now();
  seq = await writeLanes(logs, seq, seconds);
  const passed = (performance.now() - begin) / 1_000;
  const after = { server: processorTime(page.child.pid), tab: await taskTime(client), memory: residentSize(page.child.pid) };
  const heap = (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'JSHeapUsedSize').value;
  const share = (from, to) => `${(((to - from) / passed) * 100).toFixed(1)} % of a core`;
  console.log(
    `${LANES} lanes, ${EACH_SECOND} events a second, ${Math.round(passed)} s: server ${share(before.server, after.server)}, tab ${share(before.tab, after.tab)}`,
  );
  console.log(`memory: server ${before.memory} → ${after.memory} MB, tab's heap ${Math.round(heap / 1e6)} MB`);
  const shown = await ask(page, `p/${id}/state`);
  console.log(`lanes shown: ${shown.watch.lanes.length}, last number ${shown.seq} of ${seq}`);
  await browser.close();
  page.child.kill('SIGTERM');
}

/** Journal, spools and records, as the harness writes them. */
async function fill(logs) {
  const start = Date.now() - 30 * 86_400_000;
  const events = createWriteStream(join(logs, 'events.jsonl'), { flags: 'a' });
  const last = readFileSync(join(logs, 'events.jsonl'), 'utf8').trimEnd().split('\n').at(-1);
  let seq = (JSON.parse(last).seq ?? 0) + 100_000;
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

async function writeLanes(logs, from, duration) {
  let seq = from;
  const write = (file, event) =>
    appendFileSync(join(logs, file), `${JSON.stringify({ ts: new Date().toISOString(), ...event, seq: ++seq })}\n`);
  const sessions = Array.from({ length: LANES }, (_, at) => 2_000 + at);
  for (const session of sessions)
    write('events.jsonl', {
      type: 'session.start',
      session,
      feature: session - 1_999,
      prompt: 'coding',
      backend: 'b',
      model: 'm',
      workspace: '',
      lane: `lane-${session - 1_999}`,
    });
  const end = performance.now() + duration * 1_000;
  for (let at = 0; performance.now() < end; at += 1) {
    const session = sessions[at % LANES];
    if (at % 10 === 0)
      write('events.jsonl', {
        type: 'agent.usage',
        session,
        usage: { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 0 },
        context_tokens: 1_000 + at,
        context_window: 200_000,
        cost_usd: 0.001,
      });
    else
      write(
        `said/session-${String(session).padStart(6, '0')}.jsonl`,
        at % 3 === 0
          ? { type: 'agent.tool', session, name: 'Bash', input: { command: `step ${at}` } }
          : { type: 'agent.text', session, text: `This is line ${at} of what I think.` },
      );
    const due = end - duration * 1_000 + (at + 1) * (1_000 / EACH_SECOND);
    if (due > performance.now()) await new Promise((done) => setTimeout(done, due - performance.now()));
  }
  return seq;
}

async function ask(page, path) {
  const response = await fetch(`http://127.0.0.1:${page.port}/api/${path}`, { headers: { 'X-Harness-Token': page.url.split('=')[1] } });
  return await response.json();
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
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
