/** `harness demo`: see the harness at work without a key, an account or a network. */
import { runDemo } from '../demo/demo.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, output, signal }) => {
  output.note('This demo builds a small real project. The agent is scripted: it plays a fixed part over the same wire as a real model.');
  output.note(
    'Everything else is real: git, sandbox, test runs, verdicts, commits. One of its sessions lies, one breaks what worked, one runs out of context.',
  );
  output.note('');
  const report = await runDemo(platform, { emit: output.emit, signal });
  if (report.output !== '') {
    output.note('');
    output.note('The finished program, run on its own specification (node bin/tally.js spec.md):');
    for (const line of report.output.trimEnd().split('\n')) output.note(`  ${line}`);
  }
  output.note('');
  output.note(
    `Sessions: ${report.sessions}. The same tokens would have cost about $${report.cost_usd.toFixed(2)} with a real model; this run cost nothing.`,
  );
  output.note(`Look around: cd ${report.folder} && git log`);
  output.note(`State:       harness status --cwd ${report.folder}`);
  const { exitCode, outcome, reasons } = report;
  return { exitCode, outcome, reasons, ...(report.commit === null ? {} : { commit: report.commit }), message: report.message };
};
