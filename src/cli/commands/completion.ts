/** `harness completion SHELL`: the script for a shell; with `--word`, what that script asks for. */
import { cleanLine } from '../../domain/clean-text.ts';
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { loadConfig } from '../../config/read-config.ts';
import { waitingGates } from '../../gates/gate-files.ts';
import type { Command, CommandContext } from '../command.ts';
import { completions, SCRIPTS, type Candidate, type ProjectNames } from '../completion.ts';
import { listOption } from '../options.ts';

export const run: Command = async (context) => {
  const { args, options, output, table } = context;
  const shell = args[0] ?? '';
  const known = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (known === undefined) throw usageError(`There is no completion for "${shell}".`, `Known shells: ${Object.keys(SCRIPTS).join(', ')}`);
  const words = listOption(options, 'word');
  if (words.length === 0) output.object({ shell, script: known.script }, known.script.trimEnd());
  else {
    const found = await completions(table, words, namesOf(context));
    output.object(found, found.map((candidate) => known.line(candidate)).join('\n'));
  }
  return { exitCode: EXIT.done };
};

/** Nothing where there is no project, or one that cannot be read: a shell is no place for complaints. */
function namesOf({ platform, root, store }: CommandContext): ProjectNames {
  const features = async (): Promise<Candidate[]> => {
    const { config } = await loadConfig(platform, root);
    const text = await platform.files.readTextIfExists(`${root}/${config.paths.features}`);
    const parsed = JSON.parse(text ?? '{}') as { features?: { id: number; description: string }[] };
    return (parsed.features ?? []).map(({ id, description }) => ({ word: String(id), description: cleanLine(description) }));
  };
  const gates = async (id: string | null): Promise<Candidate[]> => {
    const waiting = await waitingGates(store.in('gates'));
    if (id === null) return waiting.map((gate) => ({ word: gate.id, description: cleanLine(gate.header) }));
    const options = waiting.find((gate) => gate.id === id)?.options ?? [];
    return options.map(({ label, description }) => ({ word: label, description: cleanLine(description) }));
  };
  return { features: () => features().catch(() => []), gates: (id) => gates(id).catch(() => []) };
}
