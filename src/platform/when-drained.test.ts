import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bubblewrapHere } from './bubblewrap.ts';
import { nodeProcesses } from './processes.ts';

const processes = nodeProcesses(bubblewrapHere);
const env = { PATH: process.env['PATH'] ?? '' };

function shell(command: string): ReturnType<typeof processes.start> {
  return processes.start({ file: '/bin/sh', args: ['-c', command], cwd: '/', env });
}

test('what a process wrote before it ended is read in full by a slow reader', async () => {
  const child = await shell(`head -c 180000 /dev/zero | tr '\\0' x`);
  let read = 0;
  for await (const chunk of child.stdout) {
    read += (chunk as Buffer).length;
    await delay(1_500);
  }
  expect(read).toBe(180_000);
  expect(await child.exited).toEqual({ code: 0, signal: null });
});

test('a process that left the group and keeps the pipe open in silence keeps nobody waiting', async () => {
  const child = await shell('setsid sleep 30 & echo $!');
  const seen = await textOf(child);
  expect(await child.exited).toEqual({ code: 0, signal: null });
  end(Number(seen.trim()));
});

test('a process that left the group and talks for ever is listened to no longer than a pipe holds', async () => {
  const child = await shell('setsid yes & echo $! >&2');
  let read = 0;
  child.stdout.on('data', (chunk: Buffer) => (read += chunk.length));
  child.stderr.on('data', (chunk: Buffer) => pids.push(chunk.toString('utf8')));
  const pids: string[] = [];
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(read).toBeGreaterThan(0);
  end(Number(pids.join('').trim()));
});

test('output that nobody reads does not hold up a process that is stopped', async () => {
  const child = await shell('exec yes');
  child.stdout.once('data', () => child.stdout.pause());
  await delay(200);
  await child.stop(100);
  expect(await child.exited).toMatchObject({ code: null });
});

async function textOf(child: Awaited<ReturnType<typeof shell>>): Promise<string> {
  let text = '';
  try {
    for await (const chunk of child.stdout) text += String(chunk);
  } catch {
    // Torn down with its process.
  }
  return text;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ended with its pipe.
  }
}
