// Takes the pictures of the page that the docs show: every view in both themes at 390 and 1440 px, of a night made by real runs.
// `node scripts/page-pictures.mjs [--keep FOLDER]`: FOLDER holds the project for the next time (making it takes a few minutes).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { makeMission, makeNight, startLate, startPage } from './page/night-project.mjs';
import { smallPng } from './page/small-png.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/pictures');
const kept = process.argv.indexOf('--keep');
const folder = kept < 0 ? mkdtempSync(join(tmpdir(), 'harness-pictures-')) : resolve(process.argv[kept + 1]);
const VIEWS = ['now', 'questions', 'night', 'sessions', 'session', 'features', 'money', 'mission'];
const WIDTHS = [1440, 390];
/** A phone's picture ends where nobody scrolls any more. */
const LONGEST = { 1440: 1500, 390: 1800 };

const night = await known('night.json', () => makeNight(folder));
const mission = await known('mission.json', () => makeMission(folder));
const late = startLate(night);
late.stdout.resume();
late.stderr.resume();
const page = await startPage(night.env, night.project);
await (await startPage(night.env, mission.project)).child.kill('SIGTERM');
const browser = await chromium.launch({
  executablePath: execFileSync('sh', ['-c', 'command -v chromium']).toString().trim(),
  args: ['--no-sandbox'],
});
try {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const ids = await idsOf(page);
  await lanesAtWork(ids.household);
  for (const colorScheme of ['light', 'dark']) for (const width of WIDTHS) await take(colorScheme, width, ids);
} finally {
  await browser.close();
  page.child.kill('SIGTERM');
  late.kill('SIGTERM');
  await new Promise((done) => late.once('close', done));
  if (kept < 0) rmSync(folder, { recursive: true, force: true });
}
const sizes = readdirSync(target).map((name) => statSync(join(target, name)).size);
console.log(`${sizes.length} pictures, ${Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1_000)} kB`);

async function known(name, make) {
  const file = join(folder, name);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  mkdirSync(folder, { recursive: true });
  const made = await make();
  writeFileSync(file, JSON.stringify(made));
  return made;
}

function token() {
  return page.url.split('=')[1];
}

async function ask(path) {
  const response = await fetch(`http://127.0.0.1:${page.port}/api/${path}`, { headers: { 'X-Harness-Token': token() } });
  return await response.json();
}

async function idsOf() {
  const projects = await ask('projects');
  return Object.fromEntries(projects.map(({ name, id }) => [name, id]));
}

/** Until four lanes have spent something. */
async function lanesAtWork(id) {
  for (let tries = 0; tries < 120; tries += 1) {
    const { watch } = await ask(`p/${id}/state`);
    if (watch.lanes.length === 4 && watch.lanes.every(({ recent, cost_usd }) => cost_usd !== null && recent.length > 6)) return;
    await new Promise((done) => setTimeout(done, 1_000));
  }
  throw new Error('four lanes were never at work together');
}

async function take(colorScheme, width, ids) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const tab = await context.newPage();
  await tab.goto(page.url);
  await tab.getByRole('heading', { level: 1 }).waitFor();
  for (const view of VIEWS) {
    const where =
      view === 'mission'
        ? `${ids.doubling}/mission`
        : view === 'session'
          ? `${ids.household}/session/${await refused(ids.household)}`
          : `${ids.household}/${view}`;
    await tab.goto(`http://127.0.0.1:${page.port}/#/p/${where}`);
    await tab.waitForTimeout(400);
    await tab.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await tab.waitForTimeout(400);
    const height = Math.min(LONGEST[width], await tab.evaluate('document.documentElement.scrollHeight'));
    await tab.setViewportSize({ width, height: Math.max(height, width < 600 ? 844 : 900) });
    const picture = await tab.screenshot();
    await tab.setViewportSize({ width, height: width < 600 ? 844 : 900 });
    writeFileSync(join(target, `${view}-${colorScheme}-${width}.png`), smallPng(picture));
  }
  await context.close();
}

/** The session that shows most: refused, with a test that fell. */
async function refused(id) {
  const { sessions } = await ask(`p/${id}/money`);
  return (sessions.find(({ reasons }) => reasons.includes('regression')) ?? sessions.find(({ outcome }) => outcome === 'rejected')).session;
}
