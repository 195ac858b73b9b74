/** For tests only: a place over a real folder, inside or outside git, with shell scripts as agents. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HarnessEvent } from '../domain/event.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import type { Place } from './place.ts';
import { holdPlace } from './hold-place.ts';

export interface PlaceBench {
  folder: string;
  root: string;
  harnessHome: string;
  platform: Platform;
  events: HarnessEvent[];
  git(...args: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  /** Works at the place with this shell script as the agent. */
  hold<Result>(script: string, work: (place: Place) => Promise<Result>, signal?: AbortSignal, ground?: Platform): Promise<Result>;
  dispose(): void;
}

const ROLE = '---\nrole: workflow/tester\nvariables: [task]\n---\nYou are a test.\n<!-- prompt -->\nDo: {{task}}\n';

/** `files` lie there beside `hello.txt`, and in git are part of its first commit. */
export function createPlaceBench(options: { git: boolean; files?: Readonly<Record<string, string>> }): PlaceBench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-place-')));
  const [root, userHome, harnessHome] = ['project', 'user', 'own'].map((name) => join(folder, name)) as [string, string, string];
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: userHome,
    HARNESS_HOME: harnessHome,
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C.UTF-8',
  };
  for (const path of [root, userHome, join(harnessHome, 'roles')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(harnessHome, 'roles', 'workflow-tester.md'), ROLE);
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  const write: PlaceBench['write'] = (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write({ 'hello.txt': 'hello\n', ...options.files });
  if (options.git) {
    git('init', '-q', '-b', 'main', '--template=');
    appendFileSync(join(root, '.git', 'config'), '[user]\n\tname = Person\n\temail = person@example.com\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'Start');
  }
  const platform = nodePlatform(env);
  const events: HarnessEvent[] = [];
  return {
    folder,
    root,
    harnessHome,
    platform,
    events,
    git,
    write,
    hold: async (script, work, signal = new AbortController().signal, ground = platform) => {
      const path = join(folder, 'agent.sh');
      writeFileSync(path, script, { mode: 0o755 });
      return await holdPlace(
        ground,
        root,
        {
          emit: (event) => events.push(event),
          asker: { ask: async () => 'pending', expects: async () => false },
          signal,
          agent: 'command',
          agentCommand: `sh ${path}`,
          command: 'harness workflow',
        },
        work,
      );
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
