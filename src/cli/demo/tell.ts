/** The demo as a person follows it: one line for each session, and what came of each feature as a table. */
import type { HarnessEvent } from '../../domain/event.ts';
import type { Output } from '../command.ts';
import { FEATURES } from './story.ts';

type SessionEnd = Extract<HarnessEvent, { type: 'session.end' }>;

/** What goes wrong with the demo itself is printed as everywhere. */
const ALWAYS: ReadonlySet<HarnessEvent['type']> = new Set(['agent.error', 'escalation', 'gate.asked', 'budget.reached', 'state.recovered']);
const COMMIT_LETTERS = 10;

export interface DemoTeller {
  emit(event: HarnessEvent): void;
  table(): void;
}

export function demoTeller(output: Output): DemoTeller {
  const ended: SessionEnd[] = [];
  let messages: readonly string[] = [];
  const line = (...[number, feature, result, note]: [string, string, string, string]): string =>
    `${number.padStart(8)}  ${feature.padEnd(17)}  ${result.padEnd(8)}  ${note}`.trimEnd();
  return {
    emit: (event) => {
      if (ALWAYS.has(event.type)) return output.emit(event);
      output.watch(event);
      if (event.type === 'verify.result') ({ messages } = event);
      if (event.type !== 'session.end') return;
      if (ended.length === 0) output.note(output.paint.strong(line('session', 'feature', 'result', '')));
      ended.push(event);
      const text = line(String(event.session), titleOf(event), event.outcome, noteOn(event, messages));
      output.note(event.outcome === 'rejected' ? output.paint.bad(text) : text);
    },
    table: () => {
      output.note(output.paint.strong(line('sessions', 'feature', 'result', 'commit')));
      for (const { id } of FEATURES) {
        const some = ended.filter((event) => event.feature === id);
        const last = some.at(-1);
        if (last !== undefined)
          output.note(line(some.map(({ session }) => session).join(', '), titleOf(last), last.outcome, shortCommit(last)));
      }
    },
  };
}

function titleOf({ feature }: SessionEnd): string {
  const known = FEATURES.find(({ id }) => id === feature);
  return known === undefined ? 'feature list' : `#${known.id} ${known.title}`;
}

/** What the harness found out: it does not know the script. `messages`: of the verdict. */
function noteOn(event: SessionEnd, messages: readonly string[]): string {
  const { outcome, reasons, feature } = event;
  if (outcome === 'verified') return `commit ${shortCommit(event)}`;
  const broken = FEATURES.find(({ id, test_file }) => id !== feature && messages.some((message) => message.includes(test_file)));
  if (reasons.includes('regression') && broken !== undefined) return `BREAKAGE: #${broken.id} fails now`;
  if (outcome === 'rejected') return 'LIE: its test fails';
  return reasons[0] === 'context_limit' ? 'context full, work kept' : reasons.join(', ');
}

function shortCommit({ commit = '' }: SessionEnd): string {
  return commit.slice(0, COMMIT_LETTERS);
}
