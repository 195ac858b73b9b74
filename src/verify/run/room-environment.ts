/**
 * The project's own environment beside a test run: the trusted `init` and `health_check`, over the tree that is judged.
 *
 * 1. It is wanted where the settings have both, and made where there is a sandbox with a network of its own.
 * 2. Its sandbox sees neither reports nor reporters, and cannot change a file of the tests.
 */
import { join } from 'node:path';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import type { SideBySide } from '../../platform/side-by-side.ts';
import type { JudgeSettings } from '../contract.ts';
import { isTestPath } from '../checks/protected-paths.ts';

const PATIENCE_SECONDS = 10;
const MOST_FROZEN = 1_000;

/** Folders of one run. */
export interface RunFolders {
  room: string;
  folder: string;
  reports: string;
  supportDirectory: string;
}

export function environmentBeside(
  settings: JudgeSettings,
  sandbox: SandboxSpec | null,
  at: RunFolders,
  paths: readonly string[],
): Omit<SideBySide, 'command' | 'env'> | null {
  const { init = null, health_check = null } = settings.environment ?? {};
  if (sandbox === null || sandbox.network === 'host' || init === null || health_check === null) return null;
  const own = join(at.folder, 'environment');
  return {
    cwd: at.room,
    server: {
      start: init,
      check: health_check,
      sandbox: {
        ...sandbox,
        writable: [...sandbox.writable.filter((path) => path !== at.reports), own],
        readOnly: frozenPaths(paths).map((path) => join(at.room, path)),
        readOnlyAt: [
          ...(sandbox.readOnlyAt ?? []).filter(([path]) => path !== at.supportDirectory),
          // The room can be seen at more than one place.
          ...(sandbox.writableAt ?? []).flatMap(([outside, inside]) =>
            outside === at.room ? frozenPaths(paths).map((path) => [join(outside, path), join(inside, path)] as const) : [],
          ),
        ],
        hidden: [...sandbox.hidden, at.reports, at.supportDirectory],
      },
    },
    readyPath: join(own, 'ready'),
    notePath: join(at.folder, 'note'),
    patienceSeconds: PATIENCE_SECONDS,
  };
}

/** Why tests had to do without it, from the note that was left; null: they had not. */
export function environmentProblem(settings: JudgeSettings, note: string | null): string | null {
  if (note === null) return null;
  return note.trim() === 'start'
    ? `the environment for the tests did not start: ${settings.environment?.init} failed`
    : `the environment for the tests did not answer: ${settings.environment?.health_check} failed for ${PATIENCE_SECONDS} s`;
}

/** Files of tests and the folders that hold nothing else; everything where there are too many. */
export function frozenPaths(paths: readonly string[]): string[] {
  const frozen = new Set(
    paths.filter(isTestPath).map((path) => /^(?:.*?\/)?(?:tests?|__tests__|specs?|e2e)(?=\/)/.exec(path)?.[0] ?? path),
  );
  return frozen.size > MOST_FROZEN ? ['.'] : [...frozen];
}
