// The table of adopted repositories in docs/real-world.md, made of results/adoption.json (`npm run docs`).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('../../results/adoption.json', import.meta.url));

/** One row for each repository and each way of taking it. */
export function keepRow(row) {
  const key = ({ name, installed }) => `${name} ${installed}`;
  const rows = [...readRows().filter((one) => key(one) !== key(row)), row].toSorted((a, b) => key(a).localeCompare(key(b), 'en'));
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(rows, null, 2)}\n`);
}

function readRows() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : [];
}

const PLACE = /(<!-- adoption: [^\n]*-->\n)[\s\S]*?(<!-- \/adoption -->)/;

export function withAdoptionTable(page) {
  return page.replace(PLACE, (_all, begin, end) => `${begin}\n${adoptionTable()}\n${end}`);
}

function adoptionTable() {
  const rows = readRows();
  const cell = (text) => String(text).replaceAll('|', '\\|');
  const lines = rows.map(({ name, commit, files, installed, by_hand, init, seconds, reported, sessions }) => {
    const played =
      sessions === null ? '' : sessions.map(({ manner, outcome, reasons }) => `${manner}: ${[outcome, ...reasons].join(', ')}`).join('; ');
    return `| ${[name, `\`${commit}\``, files, installed ? 'yes' : 'no', by_hand, init, seconds, reported, played].map(cell).join(' | ')} |`;
  });
  return [
    '| repository | commit | kind | installed | by hand | init | seconds | what init reported | sessions |',
    '| --- | --- | --- | --- | --- | --: | --: | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}
