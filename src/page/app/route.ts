/** Every view is an address behind `#`: the same in the server's page and in a report file. */
import { computed, signal } from '@preact/signals';

export const VIEWS = ['now', 'questions', 'night', 'sessions', 'features', 'money', 'mission'] as const;
export type ViewName = (typeof VIEWS)[number];

export const TITLES: Readonly<Record<ViewName, string>> = {
  now: 'Now',
  questions: 'Questions',
  night: 'Night',
  sessions: 'Sessions',
  features: 'Features',
  money: 'Money and health',
  mission: 'Mission',
};

export interface Route {
  project: string | null;
  view: ViewName | 'session' | 'hidden';
  /** The session, or the question. */
  subject: string | null;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

export const route = computed<Route>(() => routeOf(hash.value));

export function routeOf(text: string): Route {
  const [area, project, view = 'now', ...rest] = text.replace(/^#\/?/, '').split('/').map(decoded);
  if (area !== 'p' || project === undefined || project === '') return { project: null, view: 'now', subject: null };
  const known = [...VIEWS, 'session', 'hidden'].includes(view) ? (view as Route['view']) : 'now';
  return { project, view: known, subject: rest.length === 0 ? null : rest.join('/') };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function linkTo(project: string, view: string): string {
  return `#/p/${encodeURIComponent(project)}/${view}`;
}

export function go(address: string): void {
  if (location.hash !== address) location.hash = address;
}
