/** A candidate whose packages cannot be installed is refused, and never blocks what comes after it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim, FEATURES, FILES, RUN_SUBTRACT, settingsFor, WRITE_SUBTRACT } from './calculator.ts';
import { startRegistry, type Registry } from './registry.ts';
import { harness, makeScene, type Scene } from './support.ts';

const LEFT = { name: 'left', version: '1.0.0', files: { 'index.js': 'module.exports = 1;\n' } };
const RIGHT = { name: 'right', version: '1.0.0', files: { 'index.js': 'module.exports = 2;\n' } };

interface Entry {
  version: string;
  resolved?: string;
  integrity?: string;
}

function packageFiles(dependencies: Record<string, string>, entries: Record<string, Entry>): Record<string, string> {
  const packages = { '': { name: 'calculator', dependencies }, ...entries };
  return {
    'package.json': JSON.stringify({ name: 'calculator', type: 'module', scripts: { test: 'node --test' }, dependencies }),
    'package-lock.json': JSON.stringify({ name: 'calculator', lockfileVersion: 3, requires: true, packages }),
  };
}

const entryOf = (registry: Registry, name: string): Entry => ({
  version: '1.0.0',
  resolved: `${registry.address}${name}/-/${name}-1.0.0.tgz`,
});

/** A project with one package; its agent writes these package files and does honest work. */
async function sceneWith(registry: Registry, files: (left: Entry) => Record<string, string>): Promise<Scene> {
  const left = { ...entryOf(registry, 'left'), integrity: registry.integrity('left', '1.0.0') };
  const base = packageFiles({ left: '1.0.0' }, { 'node_modules/left': left });
  const scene = await makeScene({ ...FILES, ...base, 'features.json': FEATURES, '.harness.yaml': settingsFor('') });
  await writeFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry.address}\nfetch-retries=0\n`);
  const placed = Object.entries(files(left)).map(([path, text]) => `cat > ${path} <<'END'\n${text}\nEND`);
  await writeFile(join(scene.env['HOME']!, 'agent.sh'), `set -e\n${WRITE_SUBTRACT}\n${placed.join('\n')}\n${RUN_SUBTRACT}\n${claim(2)}`);
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  return scene;
}

const GIT = 'git+file:///nonexistent/b.git#0123456789012345678901234567890123456789';

test.each([
  [
    'a repository outside the project',
    (left: Entry) =>
      packageFiles({ left: '1.0.0', b: GIT }, { 'node_modules/left': left, 'node_modules/b': { version: '1.0.0', resolved: GIT } }),
  ],
  ['a lockfile that does not fit', (left: Entry) => packageFiles({ left: '1.0.0', gone: '1.0.0' }, { 'node_modules/left': left })],
  [
    'a checksum that is not that of the package',
    (left: Entry) =>
      packageFiles(
        { left: '1.0.0', right: '1.0.0' },
        {
          'node_modules/left': left,
          'node_modules/right': { ...left, resolved: left.resolved!.replaceAll('left', 'right'), integrity: `sha512-${'A'.repeat(86)}==` },
        },
      ),
  ],
])('%s: refused, and the next command works', async (_title, files) => {
  const scene = await sceneWith(await startRegistry([LEFT, RIGHT]), files);
  const run = await harness(scene, 'run', '--json', '--sessions', '1');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 4 });
  expect(run.last!['reasons']).toContain('dependencies.broken');
  expect(await harness(scene, 'skip', '--feature', '2', '--reason', 'later')).toMatchObject({ code: 0 });
});

test('with the network down the work is kept, and judged by the next run', async () => {
  const registry = await startRegistry([LEFT, RIGHT]);
  const scene = await sceneWith(registry, (left) =>
    packageFiles({ left: '1.0.0', right: '1.0.0' }, { 'node_modules/left': left, 'node_modules/right': entryOf(registry, 'right') }),
  );
  registry.pause(true);
  const first = await harness(scene, 'run', '--json', '--sessions', '1');
  expect(first, first.stdout + first.stderr).toMatchObject({ code: 6, last: { reasons: ['env.dependencies_failed'] } });
  registry.pause(false);
  const second = await harness(scene, 'run', '--json', '--sessions', '1');
  expect(second, second.stdout + second.stderr).toMatchObject({ code: 8 });
  expect(second.events).toContainEqual(
    expect.objectContaining({ type: 'session.end', outcome: 'needs_human', reasons: ['dependencies.changed'] }),
  );
});
