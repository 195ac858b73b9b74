// The house in numbers (`npm run measure`): sizes, and how many places each of ten additions touches.
//
//   npm run measure                                  the sources as they lie here
//   npm run measure -- --at fe42816                  an older commit
//   npm run measure -- --at fe42816 --at HEAD        several, side by side
//   npm run measure -- --places                      with the places themselves; --json for programs
//
// Every state is measured in a scratch copy, by the same rules and with this package's own TypeScript; nothing here is changed.
// What is counted is said where it is counted: scripts/measure/sizes.mjs and scripts/measure/additions.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADDITIONS, measureAdditions } from './measure/additions.mjs';
import { takeCopy } from './measure/copy.mjs';
import { measureSizes, SIZES } from './measure/sizes.mjs';

const { values } = parseArgs({
  options: {
    at: { type: 'string', multiple: true, default: [] },
    places: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'harness-measure-'));
try {
  const states = values.at.length === 0 ? [null] : values.at;
  const measured = states.map((revision, index) => {
    const copy = takeCopy(revision, join(scratch, String(index)));
    return { state: revision ?? 'here', sizes: measureSizes(copy), additions: measureAdditions(copy) };
  });
  console.log(values.json ? JSON.stringify(measured, null, 2) : render(measured));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function render(measured) {
  const rows = [
    ['', ...measured.map((one) => one.state)],
    ...SIZES.map(([key, label]) => [label, ...measured.map((one) => one.sizes[key])]),
    [''],
    ['places touched by one more (named by the compiler)'],
    ...ADDITIONS.map(({ name }) => [
      `  ${name}`,
      ...measured.map(({ additions }) => `${additions[name].places.length} (${additions[name].named})`),
    ]),
  ];
  const lines = rows.map(([label, ...cells]) => `${label.padEnd(52)}${cells.map((cell) => String(cell).padStart(22)).join('')}`.trimEnd());
  if (!values.places) return lines.join('\n');
  const detail = measured.flatMap(({ state, additions }) =>
    ADDITIONS.flatMap(({ name }) => ['', `${state}: ${name}`, ...additions[name].places.map((place) => `  ${place}`)]),
  );
  return [...lines, ...detail].join('\n');
}
