/** What the capture of the workspace met besides plain files. */
import type { CaptureFinding } from '../../domain/tree.ts';
import type { Finding } from '../../domain/verdict.ts';
import type { CheckResult } from '../docket.ts';

const MEANINGS: Readonly<Record<CaptureFinding['kind'], Pick<Finding, 'reason' | 'weight' | 'message'>>> = {
  symlink_outside: { reason: 'tamper.symlink', weight: 'reject', message: 'a symbolic link leads out of the project' },
  nested_git: { reason: 'tamper.history', weight: 'reject', message: 'a git repository lies inside the project' },
  gitlink: { reason: 'tamper.history', weight: 'reject', message: 'a link to another repository was added' },
  special_file: { reason: 'tamper.toolchain', weight: 'ask', message: 'a pipe, socket or device lies among the files' },
  name_collision: { reason: 'tamper.toolchain', weight: 'ask', message: 'two names are the same on some machines' },
  unreadable: { reason: 'tamper.toolchain', weight: 'ask', message: 'a file could not be read' },
  too_large: { reason: 'tamper.toolchain', weight: 'ask', message: 'a file is too large to be captured' },
  too_deep: { reason: 'tamper.toolchain', weight: 'reject', message: 'folders are nested deeper than the harness follows (100)' },
  path_too_long: { reason: 'tamper.toolchain', weight: 'reject', message: 'a path is longer than the harness takes (1,024 bytes)' },
  too_much: {
    reason: 'tamper.toolchain',
    weight: 'reject',
    message: 'the session left more than 100 MB of new and changed files; most of them were not kept',
  },
  invalid_name: { reason: 'tamper.history', weight: 'reject', message: 'a name is not allowed in a repository' },
};

export function checkCapture(findings: readonly CaptureFinding[]): CheckResult {
  const found = findings.map((one): Finding => ({ check: 'capture', ...MEANINGS[one.kind], subjects: [one.path] }));
  return { findings: found, detail: found.length === 0 ? 'plain files only' : `${found.length} unusual entries` };
}
