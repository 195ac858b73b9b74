/** What the commands of the fleet have in common. */
import type { Address } from '../fleet/connect.ts';
import { checkName } from '../fleet/remotes.ts';
import type { CommandContext, OptionValues } from './command.ts';
import { textOption } from './options.ts';

export function fleetAddress({ options, input }: Pick<CommandContext, 'options' | 'input'>): Address {
  return { given: textOption(options, 'database'), input };
}

export function projectOption(options: OptionValues): string {
  return checkName(textOption(options, 'project') ?? '');
}
