/** Changed results in words. */
import { counted } from './counted.ts';
import type { ChangedResult, Verdict } from './verdict.ts';

/** `slug('x y')` was `x-y`, is `x y` */
export function describeChange({ call, was, is }: ChangedResult): string {
  return `${quoted(call)} was ${quoted(was)}, is ${quoted(is)}`;
}

/** What is not accounted for, and no finding names. */
export function openChanges({ changed_results: changed = [] }: Pick<Verdict, 'changed_results'>): ChangedResult[] {
  return changed.filter(({ account = 'unclear' }) => account === 'unclear');
}

export function countChanges(count: number): string {
  return `${counted(count, 'result')} of functions that were there before ${count === 1 ? 'differs' : 'differ'} from base`;
}

function quoted(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
