/** Which remotes a fleet works with: by https, ssh or file, and never one that git would read as an option or as a helper program. */
import { usageError } from '../domain/errors.ts';

export const REMOTE_ENV = { GIT_ALLOW_PROTOCOL: 'https:ssh:file' } as const;

const ALLOWED = /^(?:(?:https:\/\/|ssh:\/\/|[\w.-]+@[\w.-]+:)\S+|(?:file:\/\/)?\/[^\n]+)$/;

export function checkRemote(remote: string): string {
  if (ALLOWED.test(remote)) return remote;
  throw usageError(
    `${JSON.stringify(remote)} is no remote that a fleet can use.`,
    'Name it by https://, ssh://, user@host:path or an absolute path.',
  );
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw usageError(
    `${JSON.stringify(name)} is no name for a project of a fleet.`,
    'Use lower-case letters, digits, dots and dashes, at most 63.',
  );
}
