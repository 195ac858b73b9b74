// `npm run bench`: the figures the product is held to, as a table with the machine they were taken on.
//
// 1. A benchmark, not a test: a missed target is shown and never fails the command. One that cannot be measured does: exit 1.
// 2. Times are medians of several runs, or ratios within one run.
// 3. `--quick` takes fewer runs and leaves out the largest project; names as arguments (`npm run bench -- journal`) choose benchmarks; `--json` prints the rows as JSON.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { loadSources } from './bench/sources.mjs';
import * as backends from './bench/backends.mjs';
import * as cachedShare from './bench/cached-share.mjs';
import * as lanes from './bench/lanes.mjs';
import * as journal from './bench/journal.mjs';
import * as missionCache from './bench/mission-cache.mjs';
import * as missionLanes from './bench/mission-lanes.mjs';
import * as planning from './bench/planning.mjs';
import * as session from './bench/session.mjs';
import * as installed from './bench/installed.mjs';
import * as sizes from './bench/sizes.mjs';
import * as startUp from './bench/start-up.mjs';
import { formatTable } from './bench/table.mjs';
import * as verdicts from './bench/verdicts.mjs';
import * as whole from './bench/whole.mjs';

const NOT_MEASURED = 'not measured';
const BENCHMARKS = {
  'start-up': startUp,
  planning,
  journal,
  session,
  whole,
  installed,
  verdicts,
  sizes,
  backends,
  'cached-share': cachedShare,
  'mission-cache': missionCache,
  lanes,
  'mission-lanes': missionLanes,
};

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const strange = args.filter((argument) => argument.startsWith('--') && !['--quick', '--json'].includes(argument));
  if (strange.length > 0) {
    const help = strange.includes('--help');
    const usage = `npm run bench -- [--quick] [--json] [${Object.keys(BENCHMARKS).join('|')}]...`;
    (help ? console.log : console.error)(help ? usage : `There is no option ${strange.join(', ')}.\n${usage}`);
    return help ? 0 : 2;
  }
  const wanted = args.filter((argument) => !argument.startsWith('--'));
  const unknown = wanted.filter((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown.length > 0) {
    console.error(`There is no benchmark ${unknown.join(', ')}. They are: ${Object.keys(BENCHMARKS).join(', ')}.`);
    return 2;
  }
  const json = args.includes('--json');
  if (!json) console.log(`${describeMachine()}\n`);
  const scratch = await mkdtemp(join(tmpdir(), 'harness-bench-'));
  try {
    const rows = await measure(wanted, { scratch, quick: args.includes('--quick') });
    if (json) console.log(JSON.stringify({ machine: describeMachine(), rows }, null, 2));
    else console.log(`\n${formatTable(rows)}${busyNote()}`);
    return rows.some(({ figure }) => figure.startsWith(NOT_MEASURED)) ? 1 : 0;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function measure(wanted, { scratch, quick }) {
  const sources = await loadSources(scratch);
  const rows = [];
  for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const begin = performance.now();
    try {
      rows.push(...(await benchmark.measure({ scratch, quick, sources })));
    } catch (error) {
      rows.push({ name, figure: `${NOT_MEASURED}: ${error.message}`, target: '', met: null });
    }
    console.error(`${name}: ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  }
  return rows;
}

/** Other work on the machine makes every time longer; a reader has to know. */
function busyNote() {
  const load = loadavg()[0];
  return load <= cpus().length + 1
    ? ''
    : `\n\nThe machine was busy with other work (load ${load.toFixed(1)}): the times are longer than they would be by themselves.`;
}

function describeMachine() {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${first?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${memory} GiB memory, ${process.platform}, Node ${process.versions.node}`;
}
