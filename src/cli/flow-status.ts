/** The session of the workflow or spec flow in a directory, as `harness status` shows it; null when there is none. */
import { wordsIn } from '../domain/words.ts';
import { readSession } from '../kernel/state-file.ts';
import { stateOf } from '../flows/spec/state-document.ts';
import { renderStatus } from '../flows/spec/people/status.ts';
import { fromState, fromV1, type Session } from '../flows/workflow/session.ts';
import { statusBlock } from '../flows/workflow/people/status.ts';
import type { Documents } from '../kernel/documents/documents.ts';

export interface FlowStatus {
  report: { skill: string; task: string | null; phase: string | null; mode: string | null; round: number | null; branch: string | null };
  text: string;
}

export async function flowStatus(documents: Documents): Promise<FlowStatus | null> {
  const session = await readSession(documents, { writer: false });
  switch (session.kind) {
    case 'none':
      return null;
    case 'other':
      return { report: blank(session.skill), text: `[harness]\n  ${session.skill}` };
    case 'spec': {
      const { task, phase, mode, branch } = session.state;
      return {
        report: { ...blank('spec'), task, phase, mode, branch },
        text: renderStatus(stateOf({ documents, hasGit: true }, session.state)),
      };
    }
    case 'workflow-draft': {
      const { task } = session.state;
      return {
        report: { ...blank('workflow'), task },
        text: `[harness]\n  ${wordsIn(session.state.user_lang).common.status.task} : ${task}`,
      };
    }
    case 'workflow-v1':
      return workflowStatus(fromV1(session.state));
    case 'workflow-v2':
      return workflowStatus(fromState(session.state));
  }
}

function workflowStatus(session: Session): FlowStatus {
  const { task, phase, mode, round, branch } = session;
  const lines = statusBlock({ common: wordsIn(session.user_lang).common }, session);
  return {
    report: { skill: 'workflow', task, phase, mode, round, branch },
    text: ['[harness]', ...lines.map((line) => `  ${line}`)].join('\n'),
  };
}

function blank(skill: string): FlowStatus['report'] {
  return { skill, task: null, phase: null, mode: null, round: null, branch: null };
}
