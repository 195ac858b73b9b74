/** `harness resume`: takes a pause back, also one that a running process has not come to yet. */
import { EXIT } from '../../domain/reasons.ts';
import { resume } from '../../flows/project/people/pause.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, root, output, signal }) => {
  const report = await resume(platform, root, { emit: output.emit, command: 'harness resume', signal });
  if (report.kind === 'withdrawn') {
    const who = report.holder === null ? 'The running harness' : `Process ${report.holder.pid} (${report.holder.command})`;
    output.object({ paused: false, running: report.holder }, `The pause is taken back. ${who} goes on.`);
    return { exitCode: EXIT.done };
  }
  const { kind: _kind, ...facts } = report;
  const next = report.next_feature === null ? '' : ` Feature #${report.next_feature} is next.`;
  output.object(
    { paused: false, ...facts },
    `${report.was_paused ? `Resumed after session ${report.session}.` : 'The project was not paused.'} Next prompt: ${report.next_in_words}.${next}${report.plan === 'session' ? ' Start it with: harness run' : ''}`,
  );
  return { exitCode: EXIT.done };
};
