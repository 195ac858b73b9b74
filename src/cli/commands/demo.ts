/** `harness demo`: see the harness at work without a key, an account or a network. */
import { quoteWord } from '../../domain/quote-word.ts';
import { runDemo } from '../demo/demo.ts';
import { demoTeller } from '../demo/tell.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, output, signal }) => {
  output.note('A scripted agent builds a small program in nine sessions, over the same wire as a real model.');
  output.note('In one session it lies, in one it breaks what worked, in one its context is full.');
  output.note('All else is real: git, sandbox, test runs, verdicts, commits. No key, no network.');
  output.note('');
  const teller = demoTeller(output);
  const report = await runDemo(platform, { emit: output.json ? output.emit : teller.emit, signal });
  output.note('');
  if (!output.json) teller.table();
  if (report.output !== '') {
    output.note('');
    output.note('The finished program, run on its own specification:');
    output.note('  node bin/tally.js spec.md');
    for (const line of report.output.trimEnd().split('\n')) output.note(`  ${line}`);
  }
  const folder = quoteWord(report.folder);
  output.note('');
  output.note(`With a real model these tokens would have cost about $${report.cost_usd.toFixed(2)}.`);
  output.note(`See the commits: git -C ${folder} log`);
  output.note(`See a refusal:   harness why 2 --cwd ${folder}`);
  const { exitCode, outcome, reasons } = report;
  return { exitCode, outcome, reasons, ...(report.commit === null ? {} : { commit: report.commit }), message: report.message };
};
