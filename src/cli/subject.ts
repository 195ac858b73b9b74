/** What `why`, `diff` and `show` are asked about: a bare number is a session, `#7` or `F-007` a feature, anything else a commit. */
import { usageError } from '../domain/errors.ts';
import type { SessionSubject } from '../flows/project/look/session.ts';

export function readSubject(word: string): SessionSubject {
  const feature = /^(?:#|F-)0*(\d{1,9})$/i.exec(word);
  if (feature !== null) return { feature: Number(feature[1]) };
  if (/^\d{1,9}$/.test(word)) return { session: Number(word) };
  if (/^[0-9a-f]{7,64}$/i.test(word)) return { commit: word };
  throw usageError(
    `"${word}" names neither a session nor a feature.`,
    'fix: a bare number is a session (harness why 12), F-7 or "#7" is a feature; harness features lists them',
  );
}
