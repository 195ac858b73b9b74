/**
 * Names of questions. Pure.
 *
 * 1. A question of a kind of which several can wait has its subject in its id: `project.stuck:12`.
 * 2. While only one of its kind waits, it is shown and may be answered without the subject.
 */
import { beforeFirst } from './text-parts.ts';

export const GATE_ID = /^[a-z][a-z0-9-]*\.[a-z0-9][a-z0-9-]*(?::[a-z0-9-]+)?$/;

export function gateIdOf(kind: string, subject: number | null): string {
  return subject === null ? kind : `${kind}:${subject}`;
}

export function kindOf(id: string): string {
  return beforeFirst(id, ':');
}

/** What a person reads and types, given the ids of everything that waits. */
export function shownId(id: string, waiting: readonly string[]): string {
  const kind = kindOf(id);
  return waiting.some((other) => other !== id && kindOf(other) === kind) ? id : kind;
}
