/** For tests only: a repository in which single steps of flights are performed. Real git and files; documents and journal in memory. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessEvent } from '../../domain/event.ts';
import type { Feature } from '../../domain/feature.ts';
import type { Gate, GateAnswer } from '../../domain/gate.ts';
import { FlightSchema, type Flight } from '../../domain/session.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { emptyLedger } from '../../verify/memory/ledger.ts';
import { folderShelf } from '../../store/folder-store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { openPlace, type PlaceAsker } from '../place.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';
import type { Brief, FlightPlace, Head } from './contract.ts';
import { endAllLive } from './live.ts';
import { writeJudgement } from './verdict-files.ts';

export const STARTED = '2026-01-02T03:04:05.000Z';

/** Words in answer to a question, by its id; a list answers one asking after the other. What is missing waits. */
export type Answers = Record<string, Partial<GateAnswer> | Partial<GateAnswer>[]>;

export interface FlightBench extends Omit<PlaceBench, 'hold'> {
  place: FlightPlace;
  /** Texts of the documents, by name. */
  kept: Map<string, string>;
  asked: Omit<Gate, 'asked_at'>[];
  answers: Answers;
  read(path: string): string | null;
  /** The shell script that the next session runs. */
  agent(script: string): void;
  commit(files: Readonly<Record<string, string | null>>, message?: string): string;
  head(): Head;
  tree(files: Readonly<Record<string, string | null>>, over?: string): Promise<string>;
  flight(change?: Partial<Flight>): Flight;
  brief(change?: Partial<Brief>): Brief;
  verdict(change?: Partial<Verdict>): Promise<Verdict>;
  /** What was told of one kind. */
  told<Type extends HarnessEvent['type']>(type: Type): Extract<HarnessEvent, { type: Type }>[];
  /** Everything as it was at first, but for objects and caches. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export const FEATURE: Feature = { id: 1, description: 'Says something new', test_file: 'test/one.test.js', passes: false };

export const FEATURES = listWith([FEATURE, { ...FEATURE, id: 2, description: 'Says more', test_file: 'test/two.test.js' }]);

export function listWith(features: readonly Feature[]): string {
  return `${JSON.stringify({ project: 'bench', features }, null, 2)}\n`;
}

const SETTINGS = 'project:\n  name: bench\nsandbox:\n  mode: "off"\n';
const TESTING = 'testing:\n  full: sh test.sh\n';

/** Its tests pass as long as a text in `src/` says "old". `settings` are lines of YAML beside these. */
export async function openFlightBench(settings = '', files: Readonly<Record<string, string>> = {}): Promise<FlightBench> {
  const bench = createPlaceBench({
    git: true,
    files: {
      '.harness.yaml': `${SETTINGS}${settings.includes('testing:') ? '' : TESTING}${settings}`,
      '.gitignore': '/.harness/\n',
      'test.sh': 'if grep -q old src/*.txt; then echo fine; else echo "nobody says old"; exit 1; fi\n',
      'src/old.txt': 'old\n',
      'features.json': FEATURES,
      'claude-progress.txt': 'begun\n',
      ...files,
    },
  });
  const agentFile = join(bench.folder, 'agent.sh');
  const agent = (script: string): void => writeFileSync(agentFile, script);
  agent('exit 99');
  const { platform, root, git, events } = bench;
  const kept = new Map<string, string>();
  const answers: Answers = {};
  const asked: FlightBench['asked'] = [];
  const opened = await openPlace(platform, root, {
    needs: 'project',
    emit: (event) => void events.push(event),
    asker: askerOf(answers, asked),
    agent: 'command',
    agentCommand: `sh ${agentFile}`,
    store: memoryStore(platform.clock, kept),
    shelf: folderShelf(platform, join(root, '.harness')),
    journal: false,
  });
  const place: FlightPlace = { ...opened, live: new Map(), laneRooms: new Map(), noCache: false };
  const head = (): Head => ({
    commit: git('rev-parse', 'HEAD'),
    tree: git('rev-parse', 'HEAD^{tree}'),
    branch: git('rev-parse', '--abbrev-ref', 'HEAD'),
  });
  const [begin, gitSettings] = [head().commit, readFileSync(join(root, '.git', 'config'))];
  const tree: FlightBench['tree'] = (changes, over = head().tree) => place.trees.compose(over, editsOf(changes));
  return {
    ...bench,
    place,
    kept,
    asked,
    answers,
    agent,
    head,
    tree,
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null),
    commit: (changes, message = 'By a person') => {
      for (const [path, text] of Object.entries(changes)) {
        if (text === null) git('rm', '-q', path);
        else bench.write({ [path]: text });
      }
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    flight: (change = {}) => ({
      ...FlightSchema.parse({
        session: 1,
        feature: FEATURE.id,
        prompt: 'coding',
        phase: 'working',
        base: head().commit,
        branch: 'main',
        checkpoint: 'c',
        started_at: STARTED,
      }),
      ...change,
    }),
    brief: (change = {}) => ({ ...briefAt(head()), ...change }),
    verdict: async (change = {}) => {
      const verdict = { ...newVerdict(head()), ...change };
      const ledger = emptyLedger();
      await writeJudgement(place, { verdict, ledger, pictures: [], hidden: [], record: { plan: [], runs: [], differences: [] } as never });
      return verdict;
    },
    told: (type) => events.filter((event): event is Extract<HarnessEvent, { type: typeof type }> => event.type === type),
    reset: async () => {
      await endAllLive(place);
      for (const name of ['index.lock', 'refs/harness', 'refs/stash', 'logs', 'refs/remotes', 'hooks'])
        rmSync(join(root, '.git', name), { recursive: true, force: true });
      writeFileSync(join(root, '.git', 'config'), gitSettings);
      git('checkout', '-q', '-f', '-B', 'main', begin);
      git('clean', '-ffdqx');
      for (const name of readdirSync(join(root, '.git', 'refs', 'heads')))
        if (name !== 'main') rmSync(join(root, '.git', 'refs', 'heads', name), { recursive: true });
      for (const list of [events, asked]) list.length = 0;
      for (const name of Object.keys(answers)) delete answers[name];
      kept.clear();
      agent('exit 99');
    },
    close: async () => {
      await endAllLive(place);
      await place.rooms.dispose();
      bench.dispose();
    },
  };
}

function askerOf(answers: Answers, asked: Omit<Gate, 'asked_at'>[]): PlaceAsker {
  const worded = (answer: Partial<GateAnswer>): GateAnswer => ({ option: null, text: null, by: 'terminal', ...answer });
  const ask: PlaceAsker['ask'] = async (gate) => {
    asked.push(gate);
    const said = answers[gate.id];
    const answer = Array.isArray(said) ? said.shift() : said;
    return answer === undefined ? 'pending' : worded(answer);
  };
  const foresee: PlaceAsker['foresee'] = async (gate) => {
    const said = answers[gate.id];
    const answer = Array.isArray(said) ? said[0] : said;
    return answer === undefined ? null : worded(answer);
  };
  const known = async (id: string): Promise<boolean> => answers[id] !== undefined;
  return { ask, leave: ask, expects: known, answered: known, foresee };
}

function editsOf(changes: Readonly<Record<string, string | null>>): Parameters<FlightPlace['trees']['compose']>[1] {
  return Object.entries(changes).map(([path, content]) =>
    content === null ? { path, kind: 'delete' as const } : { path, kind: 'write' as const, content },
  );
}

function briefAt(head: Head): Brief {
  return {
    head,
    feature: FEATURE,
    kind: 'coding',
    list: { path: 'features.json', text: FEATURES, accepted: FEATURES.replace('"passes": false', '"passes": true') },
    words: async () => ({ role: 'project/coder', modelRole: 'coding', system: 'You are a test.', prompt: 'Say something new.' }),
    claims: async () => true,
    unfinished: null,
    refused: null,
    completed: [],
    open: 1,
    unwritten: [],
    documents: ['session_state.json'],
  };
}

function newVerdict(head: Head): Verdict {
  return {
    schema_version: 1,
    id: 'v1',
    decision: 'accepted',
    reasons: [],
    findings: [],
    feature: FEATURE.id,
    session: 1,
    base_commit: head.commit,
    candidate_tree: head.tree,
    feature_tests: ['test/one.test.js::says something new'],
    red_to_green: [],
    kept_green: 1,
    passing_tests: ['sh test.sh'],
    total_tests: 1,
    sandboxed: false,
    runner: 'exit-code',
    caveats: [],
    checks: [],
    judged_at: STARTED,
    duration_ms: 1,
  };
}
