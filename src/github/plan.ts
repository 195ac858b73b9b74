/**
 * What has to be done so that the issues say what the feature list says. Pure.
 *
 * 1. Created: features without an issue, if the settings say so. Closed: open issues of features that pass, new ones among them.
 * 2. Reopened: issues that the harness itself closed, of features that pass no more. What a person closed is left alone.
 * 3. Asked about: features whose issue is gone.
 * 4. An issue of a passing feature that a person opened is closed again with the proof, or explained where closing is off.
 */
import type { Action, MirroredFeature, MirrorSettings, Remembered } from './contract.ts';
import { brokenComment, explainComment, issueBody, issueTitle, verifiedComment } from './issue-text.ts';
import { withIssueMark } from './mark.ts';

export function planSync(
  features: readonly MirroredFeature[],
  issues: ReadonlyMap<number, Remembered>,
  settings: MirrorSettings,
): Action[] {
  return features.flatMap((feature): Action[] => {
    const issue = issues.get(feature.id);
    if (issue === undefined) return settings.createMissing ? createActions(feature, settings) : [];
    return forIssue(feature, issue, settings);
  });
}

export function createActions(feature: MirroredFeature, { project, closeOnVerify }: MirrorSettings): Action[] {
  const body = withIssueMark(issueBody(feature), { project, feature: feature.id, state: 'open' });
  const created: Action = { kind: 'create', feature: feature.id, title: issueTitle(feature), body };
  return feature.passes && closeOnVerify
    ? [created, { kind: 'close', feature: feature.id, issue: null, comment: verifiedComment(feature) }]
    : [created];
}

function forIssue(feature: MirroredFeature, issue: Remembered, { closeOnVerify }: MirrorSettings): Action[] {
  const about = { feature: feature.id, issue: issue.number };
  if (issue.gone !== undefined) return issue.gone === 'asked' ? [{ kind: 'ask', ...about }] : [];
  if (feature.passes && issue.state === 'open') {
    if (closeOnVerify) return [{ kind: 'close', ...about, comment: verifiedComment(feature) }];
    return issue.ownClosing === null ? [] : [{ kind: 'explain', ...about, comment: explainComment(feature) }];
  }
  const closedByHarness = issue.closedAt !== null && issue.closedAt === issue.ownClosing;
  if (!feature.passes && issue.state === 'closed' && closedByHarness)
    return [{ kind: 'reopen', ...about, comment: brokenComment(feature, issue.closedAt ?? '') }];
  return [];
}
