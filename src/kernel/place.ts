/**
 * Where a flow works: one value for everything that a step needs of its surroundings.
 *
 * 1. Opening changes nothing but, for the holder of the lock, the journal.
 * 2. Inside git, home is the user's repository; outside, a repository of the harness's own that mirrors the folder.
 * 3. `.harness/` stays out of the user's commits: the `.gitignore` inside it says so, and no file of the user's is changed for that.
 * 4. Events are told after they were written, and all of them before a question is asked.
 */
import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import { harnessHome } from '../config/user-settings.ts';
import { openHarnessHome } from '../workspace/harness-home.ts';
import type { Emit } from '../domain/event.ts';
import type { Gate, GateAnswer } from '../domain/gate.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import { openHistory, type History } from '../journal/history.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import { tellAfterWriting } from '../journal/told-after.ts';
import { tryGit } from '../platform/git.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { chosenSandbox } from '../platform/sandbox.ts';
import { folderShelf, folderStore } from '../store/folder-store.ts';
import type { DocumentStore, Shelf } from '../store/shelf.ts';
import { createCleanRooms, type CleanRoomSet } from '../workspace/clean-room.ts';
import { openFolderHome } from '../workspace/folder-home.ts';
import { openHome, type Home } from '../workspace/home.ts';
import { createTreeStore, type HomeTreeStore } from '../workspace/tree-store.ts';
import { openBooks, type Books } from './books/books.ts';
import { openDocuments, type Documents } from './documents/documents.ts';
import { localFolder } from './local-folder.ts';
import { placeSettings, type ChosenAgent, type SettingsChoice } from './place-settings.ts';

export interface Place {
  platform: Platform;
  /** The user's directory. */
  root: string;
  /** `<root>/.harness`, unless the settings name another place. */
  stateDir: string;
  harnessHome: string;
  config: Config;
  chosenAgent: ChosenAgent;
  /** False outside git: then `home` is a repository of the harness's own that mirrors the folder. */
  hasGit: boolean;
  home: Home;
  trees: HomeTreeStore;
  rooms: CleanRoomSet;
  documents: Documents;
  /** The project's own shelf, for what all work on it shares: verdicts, baseline, checkpoints. A task's `documents` are elsewhere. */
  shelf: Shelf;
  books: Books;
  /** Journals the event, and shows it once it is written. */
  emit: Emit;
  /** Waits while the readers of the events are behind; null when they are not. */
  drained(): Promise<void> | null;
  /** Null for those who only look. */
  journal: Journal | null;
  /** What was written there before. */
  history: History;
  asker: PlaceAsker;
  signal: AbortSignal;
  /** The time, as documents and logs write it. */
  now(): string;
}

export interface PlaceAsker {
  ask(gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | 'pending'>;
  /** The same without waiting for anybody at the terminal. */
  leave(gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | 'pending'>;
  /** Whether someone is there to answer this one: at the terminal, or beforehand. */
  expects(id: string): Promise<boolean>;
  /** Whether an answer to this one was given beforehand. */
  answered(id: string): Promise<boolean>;
  /** What would be answered without asking anybody. */
  foresee(gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | null>;
}

export interface PlaceOptions extends SettingsChoice {
  emit: Emit;
  /** Waits while the screen or the pipe behind `emit` is behind. */
  drained?(): Promise<void> | null;
  /** Absent: nobody can be asked. What it is given as `record` goes to the journal. */
  asker?: Partial<PlaceAsker> & {
    ask(gate: Omit<Gate, 'asked_at'>, record?: Emit): Promise<GateAnswer | 'pending'>;
    leave?(gate: Omit<Gate, 'asked_at'>, record?: Emit): Promise<GateAnswer | 'pending'>;
  };
  signal?: AbortSignal;
  /** Where its documents lie, if not in its folder. */
  store?: DocumentStore;
  /** Where those of the whole project are, if elsewhere than its own. */
  shelf?: Shelf;
  /** Stands before its books, where something beside its own settings limits what it may spend. */
  books?(own: Books): Books;
  /** Its repository, if it is not simply the one in its directory. */
  home?: Home;
  /** Where its journal is kept, if not in its folder. */
  logs?: Journal;
  /** Only the holder of the lock keeps a journal. One that is open already is used again: its files have one writer. */
  journal: boolean | Pick<Place, 'emit' | 'journal'>;
}

export async function openPlace(platform: Platform, root: string, options: PlaceOptions): Promise<Place> {
  const { config, remarks, chosenAgent } = await placeSettings(platform, root, options);
  const named = harnessHome(platform);
  if (options.journal !== false) await openHarnessHome(platform, named);
  // By its real path: sandboxes bind what is below it in one by one, and a link cannot be bound through.
  const store = await platform.files.realpath(named).catch(() => named);
  const stateDir = join(root, config.paths.state_dir);
  const hasGit = options.needs === 'project' || (await isInGit(platform, root));
  const home = options.home ?? (hasGit ? await openHome(platform, root) : await openFolderHome(platform, root, store));
  const trees = createTreeStore(platform, home);
  const { emit, journal } = await journalFor(platform, stateDir, config, options);
  if (options.journal === true) for (const message of remarks) emit({ type: 'warning', message });
  const sandboxed = options.journal !== false && (await chosenSandbox(platform, config.sandbox.mode)).hides;
  const documents = openDocuments(platform, options.store ?? folderStore(platform, stateDir), {
    onNewerState: config.compatibility.on_newer_state,
    warn: (message) => emit({ type: 'warning', message }),
  });
  const books = openBooks({ documents, config, emit, journal });
  return {
    platform,
    root,
    stateDir,
    harnessHome: store,
    config,
    chosenAgent,
    hasGit,
    home,
    trees,
    documents,
    shelf: options.shelf ?? options.store ?? folderShelf(platform, stateDir),
    books: options.books?.(books) ?? books,
    rooms: createCleanRooms(platform, {
      home,
      harnessHome: store,
      stateDir,
      store: trees,
      ...(options.journal === false ? {} : { sandboxed }),
    }),
    emit,
    drained: () => options.drained?.() ?? journal?.drained() ?? null,
    journal,
    history: openHistory(platform, localFolder({ documents, stateDir }, 'logs')),
    asker: askerFor(platform, options.asker, journal),
    signal: options.signal ?? NEVER,
    now: () => isoNow(platform.clock),
  };
}

const NEVER = new AbortController().signal;

async function journalFor(
  platform: Platform,
  stateDir: string,
  config: Config,
  options: PlaceOptions,
): Promise<Pick<Place, 'emit' | 'journal'>> {
  if (options.journal === false) return { emit: options.emit, journal: null };
  if (options.journal !== true) return options.journal;
  const files =
    options.logs ?? (await openJournal(platform, join(stateDir, 'logs'), { level: config.logging.level, harnessVersion: HARNESS_VERSION }));
  return tellAfterWriting(platform.clock, files, options.emit);
}

function askerFor({ clock }: Platform, asker: PlaceOptions['asker'], journal: Journal | null): PlaceAsker {
  const record: Emit = (event) => journal?.append({ ...event, ts: isoNow(clock) });
  return {
    ask: async (gate) => {
      await journal?.flush();
      return (await asker?.ask(gate, record)) ?? 'pending';
    },
    leave: async (gate) => {
      await journal?.flush();
      return (await (asker?.leave ?? asker?.ask)?.(gate, record)) ?? 'pending';
    },
    expects: async (id) => (await asker?.expects?.(id)) ?? false,
    answered: async (id) => (await asker?.answered?.(id)) ?? false,
    foresee: async (gate) => (await asker?.foresee?.(gate)) ?? null,
  };
}

/** Git's own word: a repository that it will not open is an error, not a folder. */
async function isInGit(platform: Platform, root: string): Promise<boolean> {
  const asked = await tryGit(platform, ['rev-parse', '--git-dir'], { cwd: root });
  return asked.code === 0 || !asked.stderr.includes('not a git repository');
}
