/**
 * The words of the mirror's issues and comments.
 *
 * Text of the feature list is shown as text: it mentions nobody, and links nothing to other issues by accident.
 */
import { harmlessMarkdown } from '../domain/harmless-markdown.ts';
import type { Comment, MirroredFeature, Proof } from './contract.ts';

const TITLE_LENGTH = 200;
const TESTS_SHOWN = 20;

export function issueTitle(feature: MirroredFeature): string {
  const line = feature.description.replace(/\s+/g, ' ').trim();
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1)}…`;
}

export function issueBody(feature: MirroredFeature): string {
  const parts = [
    harmlessMarkdown(feature.description),
    list('What has to be shown', feature.steps.map(harmlessMarkdown)),
    list(
      'Proved by',
      feature.testFiles.map((file) => code(file)),
    ),
    feature.dependsOn.length === 0 ? '' : `Depends on: ${feature.dependsOn.map((id) => `feature ${id}`).join(', ')}`,
    feature.category === null ? '' : `Category: ${harmlessMarkdown(feature.category)}`,
    `This issue mirrors feature ${feature.id} of the project's feature list, which is authoritative. It is closed when the harness has verified the feature.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

export function verifiedComment(feature: MirroredFeature): Comment {
  const { proof } = feature;
  if (proof === null)
    return {
      key: `passes-${feature.id}`,
      text: `Feature ${feature.id} passes in the feature list. The harness has no verdict for it.`,
    };
  return { key: `verified-${proof.verdict ?? proof.commit}`, text: `Verified.\n\n${proofLines(proof)}` };
}

export function brokenComment(feature: MirroredFeature, last: string): Comment {
  return { key: `broken-${last}`, text: `Reopened: feature ${feature.id} no longer passes.` };
}

/** A person opened the issue of a feature that passes, and the settings do not let the harness close it. */
export function explainComment(feature: MirroredFeature): Comment {
  const { proof } = feature;
  const shown = proof === null ? '' : `\n\n${proofLines(proof)}`;
  return {
    key: `explained-${proof?.verdict ?? proof?.commit ?? feature.id}`,
    text: `Feature ${feature.id} passes in the feature list, so for the harness there is nothing left to do here. To have it worked on again: \`harness override --feature ${feature.id} --passes false\`.${shown}`,
  };
}

function proofLines(proof: Proof): string {
  const tests = proof.tests.slice(0, TESTS_SHOWN).map((test) => `- ${code(test)}`);
  const more = proof.tests.length - tests.length;
  return [
    `Commit: ${proof.commit}`,
    proof.verdict === null ? '' : `Verdict: ${code(proof.verdict)} (\`harness verify --verdict ${proof.verdict}\` shows it)`,
    proof.tests.length === 0 ? '' : `Tests that failed before and pass now:\n${tests.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}:\n${items.map((item) => `- ${item}`).join('\n')}`;
}

function code(text: string): string {
  return `\`${text.replace(/[`\r\n]/g, ' ')}\``;
}
