/** The questions of a mission. Pure. Ids: `mission.escalated`, `mission.review:<feature>`, `mission.claim:<claim>`, `mission.skipped:<feature>`. */
import type { Question } from '../../../domain/gate.ts';
import type { Candidate, Claim, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { wordProof } from '../machine/contract-text.ts';
import { mustHave } from '../../../domain/must-have.ts';

export const RELEASE = 'Accept and release these tests' as const;

export function escalationGate({ escalation }: MissionState): Question<'Try again' | 'Skip it' | 'End'> {
  const { reason, feature } = mustHave(escalation, 'a question is asked only at an escalation');
  return {
    id: 'mission.escalated',
    header: 'Mission escalated',
    question: `The mission cannot go on by itself: ${reason}. What should happen?`,
    options: [
      {
        label: 'Try again',
        description: feature === null ? 'go on from here, with your words as a note' : `reset its attempts and work on ${feature} again`,
        recommended: true,
      },
      ...(feature === null
        ? []
        : [
            {
              label: 'Skip it' as const,
              description: `set ${feature} aside; the mission is done without it once you have confirmed that`,
              recommended: false,
            },
          ]),
      { label: 'End', description: 'leave the mission as it stands', recommended: false },
    ],
    non_negotiable: true,
    words: 'the mission tries again with your words as a note',
    context: [],
  };
}

/** `releases`: earlier versions of tests fail, and a person may let them go. */
export function candidateGate(
  { feature, flight }: Candidate,
  { why, differences, releases }: { why: string; differences: readonly string[]; releases: boolean },
): Question<'Accept' | typeof RELEASE | 'Reject'> {
  return {
    id: `mission.review:${feature.toLowerCase()}`,
    header: 'Work waits for a person',
    question: `The work of session ${flight.session} on ${feature} passes, but changes what only a person may allow: ${why}. Should it land?`,
    options: [
      { label: 'Accept', description: 'it lands, after it has been judged again on the branch as it is then', recommended: false },
      ...(releases
        ? [
            {
              label: RELEASE as typeof RELEASE,
              description: 'the same; the earlier test versions that fail stop counting',
              recommended: false,
            },
          ]
        : []),
      { label: 'Reject', description: `${feature} is tried again`, recommended: false },
    ],
    non_negotiable: true,
    words: 'the work is rejected, and your words reach the next worker',
    context: [...differences],
  };
}

export function claimGate({ id, text, proof }: Claim, commit: string): Question<'It holds' | 'It does not'> {
  return {
    id: `mission.claim:${id.toLowerCase()}`,
    header: 'A claim that only a person can confirm',
    question: `Does this hold on commit ${commit.slice(0, 10)}: ${text}?`,
    options: [
      { label: 'It holds', description: 'recorded for the files as they are now', recommended: false },
      { label: 'It does not', description: 'its feature is open again', recommended: false },
    ],
    non_negotiable: true,
    words: false,
    context: proof.command === null && proof.tests.length === 0 ? [] : [`proof: ${wordProof(proof)}`],
  };
}

export function skippedGate({ id, title }: QueueFeature, commit: string): Question<'Leave it out' | 'Take it up'> {
  return {
    id: `mission.skipped:${id.toLowerCase()}`,
    header: 'A feature that was set aside',
    question: `${id} (${title}) was set aside. Is the mission done without it, on commit ${commit.slice(0, 10)}?`,
    options: [
      { label: 'Leave it out', description: 'the mission is done without it', recommended: false },
      { label: 'Take it up', description: 'it is worked on again', recommended: false },
    ],
    non_negotiable: true,
    words: false,
    context: [],
  };
}
