/** What the filter refuses and lets through: its program run by hand, and real system calls in a real sandbox. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bubblewrapHere } from './bubblewrap.ts';
import { closeInheritedFiles } from './inherited-files.ts';
import { nodePlatform } from './node-platform.ts';
import { sideBySide } from './side-by-side.ts';
import type { SandboxSpec } from './sandbox.ts';
import { syscallFilter } from './syscall-filter.ts';

const [EPERM, ENOSYS] = [1, 38];
const MACHINES = {
  x64: { audit: 0xc000003e, denied: { add_key: 248, request_key: 249, keyctl: 250, bpf: 321, userfaultfd: 323 } },
  arm64: { audit: 0xc00000b7, denied: { add_key: 217, request_key: 218, keyctl: 219, bpf: 280, userfaultfd: 282 } },
} as const;
const IO_URING = [425, 426, 427];

/** What the kernel would do with the program: 'allow', or the number of the error. */
function decide(program: Buffer, call: { audit: number; number: number }): string | number {
  let value = 0;
  for (let at = 0; ; at += 1) {
    const [code, ifTrue, ifFalse, operand] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
      program.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x20) value = operand === 4 ? call.audit : call.number;
    else if (code === 0x15) at += value === operand ? ifTrue : ifFalse;
    else if (code === 0x35) at += value >= operand ? ifTrue : ifFalse;
    else return operand === 0x7fff0000 ? 'allow' : operand & 0xffff;
  }
}

test.each(['x64', 'arm64'] as const)('on %s it refuses what it names, on other architectures everything, and nothing else', (name) => {
  const { audit, denied } = MACHINES[name];
  const program = syscallFilter(name)!;
  const numbers: number[] = Object.values(denied);
  for (let number = 0; number < 600; number += 1) {
    const expected = numbers.includes(number) ? EPERM : IO_URING.includes(number) ? ENOSYS : 'allow';
    expect(decide(program, { audit, number }), String(number)).toBe(expected);
    expect(decide(program, { audit: 0x40000003, number })).toBe(ENOSYS);
  }
  const x32 = decide(program, { audit, number: 0x40000000 + denied.keyctl });
  expect(x32).toBe(name === 'x64' ? ENOSYS : 'allow');
});

test('a machine whose calls are not known has none', () => {
  expect(syscallFilter('riscv64')).toBeNull();
});

closeInheritedFiles();
const { hides, refusesCalls } = await bubblewrapHere();
const platform = nodePlatform({});
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-calls-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/root' };

async function inside(file: string, args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const sandbox: SandboxSpec = { writable: [folder], hidden: [], network: 'none' };
  const result = await platform.processes.run({ file, args, cwd: folder, env, sandbox });
  return { code: result.code, out: `${result.stdout}${result.stderr}`.trim() };
}

const CALLS = `import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
out = []
for number in json.loads(sys.argv[1]):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(number), b'user', b'name', b'x', 1, -3, 0)
    out.append(ctypes.get_errno())
print(json.dumps(out))
`;

describe.runIf(hides && refusesCalls && process.arch in MACHINES)('a real sandbox', () => {
  const numbers = [...Object.values(MACHINES[process.arch as 'x64'].denied), ...IO_URING];

  test('refuses kernel keys, bpf, userfaultfd and io_uring, also to root and to what a program starts', async () => {
    writeFileSync(join(folder, 'calls.py'), CALLS);
    const list = JSON.stringify(numbers);
    const expected = [...Array<number>(5).fill(EPERM), ...Array<number>(3).fill(ENOSYS)];
    expect(JSON.parse((await inside('python3', ['calls.py', list])).out)).toEqual(expected);
    expect(JSON.parse((await inside('sh', ['-c', `setsid sh -c 'python3 calls.py "${list}"'`])).out)).toEqual(expected);
    const nested = `bwrap --unshare-user --ro-bind / / --dev /dev python3 ${folder}/calls.py '${list}'`;
    expect(JSON.parse((await inside('sh', ['-c', nested])).out)).toEqual(expected);
    expect((await inside('sh', ['-c', 'cat /proc/keys /proc/key-users'])).out).not.toMatch(/\d/);
  });

  test('leaves no way around by the calls of another architecture', async () => {
    writeFileSync(join(folder, 'calls.py'), CALLS);
    const x32 = numbers.map((number) => 0x40000000 + number);
    if (process.arch === 'x64')
      expect(JSON.parse((await inside('python3', ['calls.py', JSON.stringify([...x32, 0x40000000])])).out)).toEqual(
        Array<number>(9).fill(ENOSYS),
      );
    // mov eax, 288 (keyctl of i386); int 0x80; neg eax; ret
    const code = 'b820010000cd80f7d8c3';
    writeFileSync(
      join(folder, 'other.py'),
      `import ctypes, mmap
code = bytes.fromhex('${code}')
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(code)
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print(call())
`,
    );
    if (process.arch === 'x64') expect(await inside('python3', ['other.py'])).toEqual({ code: 0, out: String(ENOSYS) });
  });

  test('runs what people work with: node with timers, files and threads, python, git, npm, and a sandbox of its own', async () => {
    const node = `const fs = require('fs/promises'); const { Worker } = require('worker_threads');
      fs.writeFile('a', 'x').then(() => fs.readFile('a', 'utf8')).then((text) => new Worker("require('worker_threads').parentPort.postMessage(1)", { eval: true }).on('message', () => console.log(text)));`;
    expect(await inside('node', ['-e', node])).toEqual({ code: 0, out: 'x' });
    expect((await inside('node', ['-e', node.replace('const fs', 'process.env.UV_USE_IO_URING; const fs')])).code).toBe(0);
    expect(
      (await inside('sh', ['-c', "UV_USE_IO_URING=1 node -e \"require('fs').promises.stat('.').then(() => console.log(1))\""])).out,
    ).toBe('1');
    expect((await inside('python3', ['-c', 'import subprocess; print(subprocess.check_output(["echo", "x"]).decode().strip())'])).out).toBe(
      'x',
    );
    expect(
      (
        await inside('sh', [
          '-c',
          'git init -q r && cd r && git -c user.name=u -c user.email=u@x commit -q --allow-empty -m m && git log --format=%s',
        ])
      ).out,
    ).toBe('m');
    expect((await inside('npm', ['--version'])).out).toMatch(/^\d+\./m);
    expect((await inside('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'echo', 'own'])).out).toBe('own');
  });

  test('holds in each of two sandboxes side by side, and leaves no file open in them', async () => {
    writeFileSync(join(folder, 'calls.py'), CALLS);
    const sandbox: SandboxSpec = { writable: [folder], hidden: [], network: 'none' };
    const script = `python3 ${folder}/calls.py '[${numbers[2]!}]'; ls /proc/self/fd | tr '\\n' ' '`;
    const plan = {
      cwd: folder,
      env,
      server: { start: `( ${script} ) > ${folder}/server.txt`, check: `( ${script} ) > ${folder}/check.txt`, sandbox },
      command: { file: '/bin/sh', args: ['-c', script], sandbox },
      readyPath: join(folder, 'ready'),
      notePath: join(folder, 'note'),
      patienceSeconds: 5,
    };
    const together = await sideBySide(await platform.sandbox(), plan, env.PATH);
    const result = await platform.processes.run({ ...together, env: together.env!, cwd: folder, sandbox: null });
    // The fourth is that of the listing itself.
    const seen = '[1]\n0 1 2 3';
    expect(result.stdout.toString().trim()).toBe(seen);
    for (const name of ['server', 'check'])
      expect(
        execFileSync('cat', [join(folder, `${name}.txt`)])
          .toString()
          .trim(),
      ).toBe(seen);
    expect(existsSync(plan.notePath)).toBe(false);
  });

  test('a child has its standard streams and the pipes that were made for it, and nothing else', async () => {
    const sandbox: SandboxSpec = { writable: [folder], hidden: [], network: 'none' };
    const list = { file: '/bin/sh', args: ['-c', 'ls /proc/self/fd | tr "\\n" " " >&2; echo one >&3; echo two >&4'], cwd: folder, env };
    const result = await platform.processes.run({ ...list, sandbox, extraPipes: 2 });
    expect([result.stderr.toString().trim(), ...result.extra.map(String)]).toEqual(['0 1 2 3 4 5', 'one\n', 'two\n']);
  });
});
