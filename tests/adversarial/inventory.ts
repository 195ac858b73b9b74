/** The corpus in numbers, as the documentation shows it. */
import { FAMILIES, type Behaviour } from './behaviour.ts';
import { ALL_RUNNERS } from './runners.ts';

export function inventory(behaviours: readonly Behaviour[]): string {
  const rows = FAMILIES.map((family) => {
    const own = behaviours.filter((one) => one.family === family && one.kind !== 'limit');
    const counts = ALL_RUNNERS.map((runner) => own.filter((one) => one.runners.includes(runner)).length);
    return `| ${family} | ${own.length} | ${counts.join(' | ')} |`;
  });
  return [`| family | behaviours | ${ALL_RUNNERS.join(' | ')} |`, `| --- | --: |${' --: |'.repeat(ALL_RUNNERS.length)}`, ...rows].join(
    '\n',
  );
}

/** With no false acceptance among n behaviours, the rate among behaviours like them is below 3 / n with 95 % confidence. */
export function ruleOfThree(behaviours: readonly Behaviour[]): string {
  const cheats = behaviours.filter((one) => one.kind === 'cheat').length;
  return `3 / ${cheats} = ${((100 * 3) / cheats).toFixed(1)} %`;
}
