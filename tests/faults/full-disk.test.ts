/** A full disk during a session and during a commit: told as such, state intact, and the same command goes on once there is space. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { HONEST, projectWithAgent } from '../e2e/calculator.ts';
import { git, harness, type Scene } from '../e2e/support.ts';

const mounted: string[] = [];
afterEach(() => {
  for (const folder of mounted.splice(0)) {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'harness-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();
if (!canMount) console.log('A small disk of its own cannot be mounted here (root is needed): the tests of a full disk are left out.');

/** The project and its state on a disk of 16 MB; the harness's own directory and the user's home stay where they were. */
async function onSmallDisk(script: string): Promise<{ scene: Scene; fill(): void; free(): void }> {
  const scene = await projectWithAgent(script);
  const disk = mkdtempSync(join(tmpdir(), 'harness disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', disk]);
  mounted.push(disk);
  const project = join(disk, 'project');
  mkdirSync(project);
  cpSync(scene.project, project, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const filler = join(disk, 'filler');
  return { scene: { ...scene, project }, fill: () => fillUp(filler), free: () => rmSync(filler, { force: true }) };
}

function fillUp(filler: string): void {
  for (const size of [1 << 20, 1 << 16, 1 << 12]) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      continue;
    }
  }
}

test.runIf(canMount)('a disk that is full before a session starts is told as such, and nothing is damaged', async () => {
  const { scene, fill, free } = await onSmallDisk(HONEST);
  const before = await git(scene, 'rev-parse', 'HEAD');
  fill();
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stderr).toBe(6);
  expect(run.stderr).toContain('The disk is full.');
  expect(run.last).toMatchObject({ reasons: ['disk.full'] });
  JSON.parse(readFileSync(join(scene.project, '.harness/session_state.json'), 'utf8'));
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(before);
  free();
  const again = await harness(scene, 'run', '--json');
  expect(again, again.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
});

test.runIf(canMount)('a disk that fills up while the agent works costs nothing: the next run goes on from there', async () => {
  const { scene, free } = await onSmallDisk('');
  const disk = join(scene.project, '..');
  writeFileSync(
    join(scene.env['HOME']!, 'agent.sh'),
    `cat > /dev/null\n${HONEST}\nif [ ! -e "$HOME/filled" ]; then touch "$HOME/filled"; cat /dev/zero > "${disk}/filler" 2>/dev/null; fi; true\n`,
  );
  writeFileSync(
    join(scene.project, '.harness.yaml'),
    `${readFileSync(join(scene.project, '.harness.yaml'), 'utf8')}sandbox:\n  mode: off\n`,
  );
  await git(scene, 'commit', '-q', '-am', 'No sandbox');
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stderr).toBe(6);
  expect(run.stderr).toContain('The disk is full.');
  expect(statfsSync(disk).bavail).toBeLessThan(100);
  JSON.parse(readFileSync(join(scene.project, '.harness/session_state.json'), 'utf8'));
  free();
  const again = await harness(scene, 'run', '--until-done', '--json');
  expect(await git(scene, 'log', '--format=%s')).toContain('Feature #2');
  expect(again.code, again.stderr).not.toBe(1);
  expect(await git(scene, 'status', '--porcelain', '--untracked-files=no')).toBe('');
});

test.runIf(canMount)('a disk that fills up while the commit is made leaves branch, index and files as they were', async () => {
  const { scene, free } = await onSmallDisk(HONEST);
  const disk = join(scene.project, '..');
  const before = await git(scene, 'rev-parse', 'HEAD');
  const index = await git(scene, 'ls-files', '--stage');
  await fillWhenCommitting(scene, disk);
  const run = await harness(scene, 'run', '--json');
  expect(statfsSync(disk).bavail).toBeLessThan(100);
  expect(run.code, run.stdout + run.stderr).toBe(6);
  expect(run.stderr).toContain('The disk is full.');
  expect(run.last).toMatchObject({ reasons: ['disk.full'] });
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(before);
  expect(await git(scene, 'ls-files', '--stage')).toBe(index);
  const state = JSON.parse(readFileSync(join(scene.project, '.harness/session_state.json'), 'utf8')) as { flight: { phase: string } };
  expect(['captured', 'landing']).toContain(state.flight.phase);
  free();
  await git(scene, 'config', '--unset', 'gpg.program');
  await git(scene, 'config', '--unset', 'commit.gpgsign');
  const again = await harness(scene, 'run', '--json');
  expect(again.code, again.stderr).not.toBe(1);
  expect((await git(scene, 'log', '--format=%s')).split('\n').filter((line) => line.startsWith('Feature #2'))).toHaveLength(1);
  expect(await git(scene, 'status', '--porcelain', '--untracked-files=no')).toBe('');
});

/** Signing comes right before the commit object is written: the signer fills the disk and then signs as asked. */
async function fillWhenCommitting(scene: Scene, disk: string): Promise<void> {
  const signer = join(scene.env['HOME']!, 'signer.sh');
  writeFileSync(
    signer,
    `#!/bin/sh\ncat > /dev/null\ncat /dev/zero > "${disk}/filler" 2>/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED ' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\n%s\\n-----END PGP SIGNATURE-----\\n' "$(head -c 30000 /dev/urandom | base64)"\n`,
    { mode: 0o755 },
  );
  await git(scene, 'config', 'gpg.program', signer);
  await git(scene, 'config', 'commit.gpgsign', 'true');
}
