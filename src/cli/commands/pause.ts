/** `harness pause`: not part of this version yet. */
import type { Command } from '../command.ts';
import { notThereYet } from '../not-there-yet.ts';

export const run: Command = () => Promise.reject(notThereYet('pause'));
