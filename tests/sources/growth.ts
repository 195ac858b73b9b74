/**
 * Whether reading takes a time in proportion to the size: the same pieces once and eight times as often.
 *
 * Of the parser in this process the processor's time is counted, because others may be at work on the machine; Python's runs in one of its own.
 */
import type { Platform } from '../../src/platform/platform.ts';
import { readSources } from '../../src/verify/source/read-source.ts';

const FEW = 200;
const TIMES = 8;
/** Beyond proportion, with room for a busy machine: a quadratic reader is at eight. */
const MOST = 3;
const ROUNDS = 3;

const SHAPES: readonly [string, string, (index: number) => string][] = [
  ['tests', 'a.test.ts', (index) => `test('t${index}', () => { expect(f(${index})).toEqual({ a: [${index}] }); });\n`],
  ['exports', 'a.ts', (index) => `export const v${index} = ${index};\nexport function f${index}() { return v${index}; }\n`],
  ['nested templates', 'a.ts', (index) => `const t${index} = \`a\${\`b\${\`c\${${index}}\`}\`}\`;\n`],
  ['imports', 'a.ts', (index) => `import { a as a${index} } from './m${index}.js';\n`],
  ['Python tests', 'test_a.py', (index) => `def test_${index}():\n    assert f(${index}) == {'ü': [${index}]}\n`],
];

export async function measureGrowth(platform: Platform): Promise<boolean> {
  let isLinear = true;
  for (const [name, path, piece] of SHAPES) {
    const text = (count: number, round: number): string =>
      `${path.endsWith('.py') ? '#' : '//'} ${round}\n${Array.from({ length: count }, (_, index) => piece(index)).join('')}`;
    const now = path.endsWith('.py') ? (): number => performance.now() : usedMs;
    const fastest = async (count: number): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const file = { path, text: text(count, round) };
        const begin = now();
        const [reading] = await readSources(platform, [file]);
        times.push(reading === null ? Number.POSITIVE_INFINITY : now() - begin);
      }
      return Math.min(...times);
    };
    const [small, large] = [await fastest(FEW), await fastest(FEW * TIMES)];
    const ratio = large / small / TIMES;
    isLinear &&= ratio <= MOST;
    console.log(
      `${name}: ${small.toFixed(0)} ms for ${FEW}, ${large.toFixed(0)} ms for ${FEW * TIMES}: ${ratio.toFixed(2)} of proportional`,
    );
  }
  return isLinear;
}

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
