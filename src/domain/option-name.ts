/** How an option is named in a list of choices. Free of schemas: what prints questions is loaded by every command. */
import type { GateOption } from './gate.ts';

/** The label to answer with, and what it means in the user's language. */
export function optionName(option: Pick<GateOption, 'label' | 'shown'>): string {
  return option.shown === undefined || option.shown === option.label ? option.label : `${option.label} (${option.shown})`;
}
