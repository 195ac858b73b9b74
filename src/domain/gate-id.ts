/**
 * Names of questions. Pure.
 *
 * 1. A question of a kind of which several can wait has its subject in its id: `project.stuck:12`.
 * 2. It is the same wherever it is shown. While only one of its kind waits, a person may leave the subject out.
 */
import { beforeFirst } from './text-parts.ts';

export const GATE_ID = /^[a-z][a-z0-9-]*\.[a-z0-9][a-z0-9-]*(?::[a-z0-9-]+)?$/;

export function gateIdOf(kind: string, subject: number | null): string {
  return subject === null ? kind : `${kind}:${subject}`;
}

export function kindOf(id: string): string {
  return beforeFirst(id, ':');
}
