/** `harness verify`: runs a feature's test or the suite of a revision in the clean room, or shows an earlier verdict. */
import { testsPassing } from '../../domain/counted.ts';
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { namesOfFiles } from '../../domain/test-files.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { lookAtFeature, lookAtTree, lookAtVerdict, type FeatureLook, type TreeLook } from '../../flows/project/look/verify.ts';
import { openProject } from '../../flows/project/project.ts';
import type { Command } from '../command.ts';
import { numberOption, textOption } from '../options.ts';
import { featureOption } from '../wheel.ts';

export const run: Command = async (context) => {
  const { platform, root, store, options, output, signal } = context;
  const verdict = textOption(options, 'verdict');
  const tree = textOption(options, 'tree');
  const given = [numberOption(options, 'feature'), verdict, tree].filter((value) => value !== null);
  if (given.length !== 1) throw usageError('harness verify takes exactly one of --feature N, --verdict ID and --tree REV.');
  if (verdict !== null) {
    const found = await lookAtVerdict({ shelf: store }, verdict);
    output.object(found.verdict, [...checkLines(found.verdict), ...found.lines].join('\n'));
    return { exitCode: EXIT.done };
  }
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  const how = { noCache: options['cache'] === false, signal };
  const look = tree === null ? await lookAtFeature(project, featureOption(context), how) : await lookAtTree(project, tree, how);
  output.object(look, 'feature' in look ? describeFeature(look) : describeTree(look));
  return { exitCode: look.passed ? EXIT.done : EXIT.rejected };
};

function checkLines(verdict: Verdict): string[] {
  return [
    `Verdict ${verdict.id}: ${verdict.decision}, session ${verdict.session}${verdict.feature === null ? '' : `, feature #${verdict.feature}`}, ${verdict.judged_at}`,
    `  judged tree ${verdict.candidate_tree} on ${verdict.base_commit.slice(0, 12)} with ${verdict.runner}${verdict.sandboxed ? ', sandboxed' : ''}`,
    ...(verdict.made_lock === undefined ? [] : [`  made ${verdict.made_lock.path}: sha256 ${verdict.made_lock.sha256}`]),
    ...verdict.checks.map((check) => `  ${check.title ?? check.name}: ${check.state}${check.detail === '' ? '' : ` (${check.detail})`}`),
  ];
}

function describeFeature(look: FeatureLook): string {
  return [
    `Feature #${look.feature} on ${look.commit.slice(0, 12)}: ${look.description}`,
    `  Test file: ${namesOfFiles([look.test_file].flat())}`,
    ...(look.command === '' ? [] : [`  $ ${look.command}`]),
    ...look.tests.map(
      (test) => `  ${test.status.toUpperCase()} ${test.id}${test.message === undefined ? '' : `: ${test.message.split('\n')[0]}`}`,
    ),
    ...look.problems.map((problem) => `  ${problem}`),
    `Feature #${look.feature}: ${look.passed ? 'PASSED' : `FAILED (${look.detail})`}`,
  ].join('\n');
}

function describeTree(look: TreeLook): string {
  return [
    `${look.revision} (tree ${look.tree.slice(0, 12)}): ${testsPassing(look.passing, look.total)} (${look.runner})`,
    ...look.failing
      .slice(0, 50)
      .map((test) => `  ${test.status.toUpperCase()} ${test.id}${test.message === null ? '' : `: ${test.message.split('\n')[0]}`}`),
    ...look.problems.map((problem) => `  ${problem}`),
    look.passed ? 'PASSED' : 'FAILED',
  ].join('\n');
}
