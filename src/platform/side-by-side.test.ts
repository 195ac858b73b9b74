import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeProcesses, type RunResult } from './processes.ts';
import { bubblewrapHere } from './bubblewrap.ts';
import { sideBySide } from './side-by-side.ts';

const sandbox = await bubblewrapHere();
const available = sandbox.noNetwork;

const SERVER = "require('http').createServer((q, r) => r.end('served')).listen(4321, '127.0.0.1')";
const ASK = "fetch('http://127.0.0.1:4321').then((r) => r.text()).then(console.log, () => process.exit(1))";

describe.runIf(available)('a command beside a server', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'harness-beside-'));
    for (const name of ['room/test', 'reports', 'own']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'reports/key'), 'secret');
    writeFileSync(join(folder, 'room/test/a.test.js'), 'trusted');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (path: string): string => join(folder, path);
  const note = (): string | null => (existsSync(at('note')) ? readFileSync(at('note'), 'utf8').trim() : null);
  const beside = async (start: string, command: string, check = `node -e "${ASK}"`): Promise<RunResult> => {
    const common = { hidden: [], network: 'none' } as const;
    const plan = await sideBySide(
      sandbox,
      {
        cwd: at('room'),
        env: { PATH: `./evil:${process.env['PATH']!}`, LD_BIND_NOW: 'inside' },
        server: {
          start,
          check,
          sandbox: { ...common, writable: [at('room'), at('own')], readOnly: [at('room/test')], hidden: [at('reports')] },
        },
        command: { file: '/bin/sh', args: ['-c', command], sandbox: { ...common, writable: [at('room'), at('reports')] } },
        readyPath: at('own/ready'),
        notePath: at('note'),
        patienceSeconds: 1,
      },
      process.env['PATH']!,
    );
    return nodeProcesses(bubblewrapHere).run({ ...plan, env: plan.env!, cwd: at('room'), timeoutMs: 60_000 });
  };

  test('meets it on a network of their own, and ends with its own status', async () => {
    const done = await beside(`node -e "${SERVER}" &`, `node -e "${ASK}" && exit 7`);
    expect([done.stdout.toString(), done.code, note()]).toEqual(['served\n', 7, null]);
  });

  test('the script around them finds no program of the project, and what is set for its tests is set inside alone', async () => {
    mkdirSync(at('room/evil'));
    for (const name of ['date', 'sleep', 'cat', 'dd', 'kill'])
      writeFileSync(at(`room/evil/${name}`), `#!/bin/sh\ntouch ${at('outside')} 2>/dev/null\nexec /bin/${name} "$@"\n`, { mode: 0o755 });
    const done = await beside(
      `node -e "${SERVER}" &`,
      'echo "$LD_BIND_NOW"; tr "\\0" "\\n" < /proc/1/environ | grep -c LD_; cat /dev/null',
    );
    expect(done.stdout.toString()).toBe('inside\n0\n');
    expect(existsSync(at('outside'))).toBe(false);
  });

  test('cannot be seen, told what to report or given other tests by it', async () => {
    const spy = `(cat ${at('reports/key')}; ls ${at('reports')}; echo forged > ${at('room/test/a.test.js')}; echo x > ${at('note')}; sleep 1; ps ax) > seen 2>&1 &`;
    const done = await beside(`${spy} node -e "${SERVER}" &`, `sleep 2; cat ${at('reports/key')}; : mark-of-the-command`);
    expect(done.stdout.toString()).toBe('secret');
    const seen = readFileSync(at('room/seen'), 'utf8');
    expect(seen).not.toContain('secret');
    expect(seen).not.toContain('mark-of-the-command');
    expect(readFileSync(at('room/test/a.test.js'), 'utf8')).toBe('trusted');
    expect(note()).toBeNull();
  });

  test.each([
    ['ends badly', 'exit 3', 'true', 'start'],
    ['never answers', ':', 'false', 'check'],
  ])('runs all the same where the server %s, and a note says so', async (_title, start, check, reason) => {
    const done = await beside(start, 'echo ran', check);
    expect([done.stdout.toString(), done.code, note()]).toEqual(['ran\n', 0, reason]);
  });
});
