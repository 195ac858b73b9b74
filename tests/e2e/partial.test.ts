/** Sessions that end without a claim: work is kept, the next session goes on with it, and the third one asks a person. */
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { claim, HONEST, projectWithAgent, setAgent, WRITE_SUBTRACT } from './calculator.ts';
import {
  commitAll,
  copyScene,
  eventsOf,
  exists,
  gates,
  git,
  harness,
  processesWith,
  read,
  snapshot,
  startHarness,
  write,
} from './support.ts';

test('an agent that fails without a claim is partial; the next session continues from its work', async () => {
  const scene = await projectWithAgent(`echo 'The parser is half done.'; echo '# fail 2'; echo half > src/half.txt; exit 7`);
  const before = await snapshot(scene);
  const first = await harness(scene, 'run', '--json');
  expect(first, first.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['agent.failed'], session: 1, feature: 2 } });
  expect(await snapshot(scene)).toEqual(before);
  expect(await git(scene, 'show', 'refs/harness/wip/2:src/half.txt')).toBe('half');
  await setAgent(
    scene,
    `cp "$TMPDIR/prompt.txt" "$HARNESS_PROJECT_DIR/prompt.txt"; cat src/half.txt > seen.txt; echo "$HARNESS_ROLE" >> seen.txt; exit 0`,
  );
  const second = await harness(scene, 'run', '--json');
  expect(second, second.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['claim.none'], session: 2 } });
  expect(eventsOf(second, 'session.start')).toMatchObject([{ prompt: 'continuation', feature: 2 }]);
  expect(await git(scene, 'show', 'refs/harness/wip/2:seen.txt')).toBe('half\nproject/continuation');
  const prompt = await git(scene, 'show', 'refs/harness/wip/2:prompt.txt');
  expect(prompt).toContain('A user subtracts two numbers');
  expect(prompt).toContain('src/half.txt');
  expect(prompt).toMatch(
    /partial \(agent\.failed in session 1\)[\s\S]*Last test result it saw:\*\* # fail 2[\s\S]*- The parser is half done\./,
  );
  await setAgent(scene, `rm -f seen.txt prompt.txt src/half.txt\n${HONEST}`);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0, last: { outcome: 'verified', session: 3 } });
  expect(await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).toBe('features.json\nsrc/subtract.js\ntest/subtract.test.js');
});

test.each([
  ['a link out of the project', 'ln -s /etc/hostname src/machine', 'rm src/machine', [4, 'rejected', 'tamper.symlink']],
  ['a name that is another one on some machines', 'cp src/add.js src/ADD.js', 'rm src/ADD.js', [8, 'needs_human', 'tamper.toolchain']],
])(
  '%s that an earlier session left is as new as ever; taken out again it is gone',
  async (_title, leave, remove, [code, outcome, reason]) => {
    const scene = await projectWithAgent(leave);
    expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10, last: { outcome: 'partial', session: 1 } });
    const other = await copyScene(scene);
    await setAgent(scene, HONEST);
    const kept = await harness(scene, 'run', '--json');
    expect(kept, kept.stdout + kept.stderr).toMatchObject({ code });
    expect(eventsOf(kept, 'session.end')).toMatchObject([{ outcome, reasons: [reason] }]);
    await setAgent(other, `${remove}\n${HONEST}`);
    expect(await harness(other, 'run', '--json')).toMatchObject({ code: 0, last: { outcome: 'verified', session: 2 } });
  },
);

test('an agent that cannot be started at all ends with 6 and counts against nobody', async () => {
  const scene = await projectWithAgent('exit 0', { settings: '' });
  await write(scene, { '.harness.yaml': (await read(scene, '.harness.yaml')).replace(/^  command: .*$/m, '  command: /no/such/agent') });
  await commitAll(scene, 'Name an agent that is not there');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 6, last: { outcome: 'error', reasons: ['agent.failed'], exit_code: 6 } });
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ stuck_count: 0 });
});

const endsWithFullContext = async (work: string): Promise<void> => {
  const usage = '{"type":"usage","input_tokens":1000,"output_tokens":10}';
  const scene = await projectWithAgent(`${work}\necho '${usage}'\nsleep 60`, {
    settings: 'context:\n  window_tokens: 1000\n',
  });
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['context_limit'] } });
  expect(eventsOf(run, 'session.limit')).toContainEqual(expect.objectContaining({ kind: 'context', level: 'stop' }));
  expect(await git(scene, 'show', 'refs/harness/wip/2:claude-progress.txt')).toContain('SESSION TERMINATED');
  expect(await read(scene, 'claude-progress.txt')).not.toContain('SESSION TERMINATED');
  const status = await harness(scene, 'status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ next_prompt: 'continuation', next_feature: 2 });
};

test('a full context ends the session, keeps the work and says so in the progress file', () =>
  endsWithFullContext('echo part > src/part.txt'));

test('a full context without a change leaves a note and a continuation all the same', () => endsWithFullContext('true'));

test('an agent that ends without a claim when its context is nearly full was stopped by the context', async () => {
  const scene = await projectWithAgent(`echo part > src/part.txt\necho '{"type":"usage","input_tokens":910,"output_tokens":10}'`, {
    settings: 'context:\n  window_tokens: 1000\n',
  });
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['context_limit'] } });
  expect(eventsOf(run, 'session.inject').map((event) => event['text'])).toEqual([expect.stringContaining('90%')]);
});

test('the time limit ends the agent and everything it started', async () => {
  const mark = `32${String(process.pid)}9.5`;
  const scene = await projectWithAgent(`echo part > src/part.txt\ntrap '' TERM\nsleep ${mark} &\nsleep ${mark}`, {
    settings: 'session:\n  timeout_minutes: 0.03\n  timeout_warning_minutes: 0.01\n',
  });
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['timeout'] } });
  expect(await processesWith(mark)).toEqual([]);
  expect(await git(scene, 'show', 'refs/harness/wip/2:claude-progress.txt')).toContain('SESSION TERMINATED');
});

test('the third failure on a feature asks a person; Skip goes on with the next; nothing left asks again', async () => {
  const scene = await projectWithAgent(claim(2));
  for (const session of [1, 2])
    expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 4, last: { outcome: 'rejected', session } });
  const third = await harness(scene, 'run', '--json');
  expect(third, third.stderr).toMatchObject({ code: 3, last: { outcome: 'escalated', session: 3, feature: 2 } });
  const page = await readFile(join(scene.project, '.harness/escalation.md'), 'utf8');
  for (const word of ['Retry', 'Skip', 'harness answer project.repeated-failures:2']) expect(page).toContain(word);
  expect((await gates(scene)).map((gate) => gate.id)).toEqual(['project.repeated-failures:2']);
  const waiting = await harness(scene, 'run', '--json');
  expect(waiting).toMatchObject({ code: 3 });
  expect(eventsOf(waiting, 'session.start')).toEqual([]);
  expect(await harness(scene, 'answer', 'project.repeated-failures', 'skip')).toMatchObject({ code: 0 });
  await setAgent(
    scene,
    `cat > src/multiply.js <<'END'
export const multiply = (a, b) => a * b;
END
sed 's/subtract/multiply/g; s/5, 2), 3/5, 2), 10/' > test/multiply.test.js <<'END'
${WRITE_SUBTRACT.split("<<'END'\n")[2]!}
node --test test/multiply.test.js
${claim(3)}`,
  );
  const next = await harness(scene, 'run', '--json');
  expect(next, next.stdout + next.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 3 } });
  const done = await harness(scene, 'run', '--json');
  expect(done, done.stderr).toMatchObject({ code: 3, last: { outcome: 'escalated' } });
  expect(eventsOf(done, 'session.start')).toEqual([]);
  expect(await read(scene, '.harness/escalation.md')).toContain('#2');
});

test('three unfinished sessions ask a person as well', async () => {
  const scene = await projectWithAgent('date +%N > src/half.txt');
  expect((await harness(scene, 'run', '--json')).code).toBe(10);
  const rest = await harness(scene, 'run', '--until-done', '--json');
  expect(rest, rest.stderr).toMatchObject({ code: 3, last: { outcome: 'escalated' } });
  expect((await gates(scene)).map((gate) => gate.id)).toEqual(['project.stuck:2', 'project.stuck:3']);
});

test('a harness that was killed loses no work and counts nothing', async () => {
  const mark = `33${String(process.pid)}1.5`;
  const scene = await projectWithAgent(`echo half > src/half.txt; echo ready; sleep ${mark}`);
  const { child, ended, seen } = startHarness(scene, ['run', '--json']);
  await expect.poll(seen, { timeout: 30_000 }).toContain('"text":"ready"');
  child.kill('SIGKILL');
  await ended;
  await expect.poll(() => processesWith(mark), { timeout: 10_000 }).toEqual([]);
  await setAgent(scene, `test -e src/half.txt && rm src/half.txt && ${HONEST}`);
  const next = await harness(scene, 'run', '--json');
  expect(next, next.stdout + next.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await exists(join(scene.project, 'src/half.txt'))).toBe(false);
});
