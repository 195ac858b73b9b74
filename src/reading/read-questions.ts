/** The questions that wait, with what they are about: the feature, what it cost so far, and why its work was refused last. */
import type { Gate } from '../domain/gate.ts';
import type { Past } from '../flows/project/look/past.ts';
import { lookAtSession } from '../flows/project/look/session.ts';
import type { Project } from '../flows/project/project.ts';
import { isRoleRecord, sumOf } from '../kernel/books/sums.ts';
import type { QuestionView } from './views.ts';

interface Known {
  project: Project;
  past: Past;
}

export async function questionViews(gates: readonly Gate[], known: Known | null): Promise<QuestionView[]> {
  return await Promise.all(gates.map(async (gate) => ({ ...gate, ...(await about(gate, known)) })));
}

async function about({ id }: Gate, known: Known | null): Promise<Omit<QuestionView, keyof Gate>> {
  const subject = subjectOf(id, known?.past ?? null);
  if (known === null || subject.feature === null) return { ...subject, title: null, spent: null, refused: null };
  const { past, project } = known;
  const sessions = past.sessions.filter((record) => !isRoleRecord(record) && record.feature_id === subject.feature);
  const last = sessions.at(-1);
  const look = last === undefined ? null : await lookAtSession(project, past, { session: last.session_id }).catch(() => null);
  return {
    ...subject,
    title: past.features.find((feature) => feature.id === subject.feature)?.description ?? null,
    spent: sessions.length === 0 ? null : sumOf(sessions),
    refused: look?.verdict?.decision !== 'rejected' ? null : { session: look.session, words: look.words },
  };
}

/** What a question is about, by its id or by what waits in the state. */
export function subjectOf(id: string, past: Past | null): Pick<QuestionView, 'session' | 'feature'> {
  const subject = /:(\d+)$/.exec(id)?.[1];
  const waiting = past === null ? [] : [past.state, ...past.state.parked].map(({ pending, escalation }) => ({ pending, escalation }));
  const about = waiting.find(({ pending, escalation }) => {
    const one = pending ?? escalation;
    return one !== null && id.split(':')[0] === one.gate.split(':')[0] && (subject === undefined || one.feature === Number(subject));
  });
  const feature = about === undefined ? null : ((about.pending ?? about.escalation)?.feature ?? null);
  const session = about?.pending?.session ?? past?.sessions.findLast((one) => feature !== null && one.feature_id === feature)?.session_id;
  return { session: session ?? null, feature: feature ?? (subject === undefined ? null : Number(subject)) };
}
