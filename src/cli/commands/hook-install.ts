/** `harness hook install`: a pre-push hook that judges what is pushed. */
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { OWN_LINE, prePushHook } from '../pre-push.ts';
import type { Command } from '../command.ts';

const SCRIPT = `#!/bin/sh
${OWN_LINE}
# Judges each pushed commit; only a rejected one stops the push. git push --no-verify goes around it.
command -v harness > /dev/null 2>&1 || { echo 'harness is not on the PATH: this push was not judged.' >&2; exit 0; }
unset $(git rev-parse --local-env-vars)
status=0
while read -r local commit remote known; do
  case "$commit" in *[!0]*) ;; *) continue ;; esac
  set -- --head "$commit"
  case "$known" in *[!0]*) git cat-file -e "$known^{commit}" 2> /dev/null && set -- "$@" --base "$known" ;; esac
  echo "harness judges $local" >&2
  harness judge "$@" < /dev/null >&2
  [ $? -ne 4 ] || status=1
done
exit $status
`;

export const run: Command = async ({ platform, cwd, output }) => {
  const hook = await prePushHook(platform, cwd);
  if (hook.text !== null && !hook.isOwn)
    throw new HarnessError(`There is a pre-push hook already: ${hook.path}`, {
      exitCode: EXIT.usage,
      details: ['It is left as it is. To have both, add this line to it: harness judge --head HEAD || [ $? -ne 4 ]'],
    });
  await platform.files.mkdir(hook.folder);
  await platform.files.writeAtomic(hook.path, SCRIPT, 0o755);
  output.object(
    { installed: hook.path },
    `Installed ${hook.path}. A rejected change is not pushed; harness hook uninstall removes the hook.`,
  );
  return { exitCode: EXIT.done };
};
