/**
 * The documents of a place, by name.
 *
 * 1. A document is checked when it is read and written whole (`store/document.ts`); one that cannot be understood is never overwritten.
 * 2. Only the holder writes documents. Requests are for everybody.
 * 3. Decisions in a document that were not sealed here are left out when it is read (`decisions.ts`), and a writer is warned once.
 * 4. Where they lie is the store's business: in a folder, or in memory.
 */
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Platform } from '../../platform/platform.ts';
import { readFrom, writeTo, type VersionedDocument } from '../../store/document.ts';
import type { DocumentStore, Shelf } from '../../store/shelf.ts';
import { CATALOGUE, TEXTS, type DocumentName, type FolderName, type Kind, type Migrating, type TextName } from './catalogue.ts';
import { openRequests, type Requests } from './requests.ts';

type ReadOf<Name extends DocumentName> = (typeof CATALOGUE)[Name] extends Kind<infer Read, infer _> ? Read : never;
type WrittenOf<Name extends DocumentName> = (typeof CATALOGUE)[Name] extends Kind<infer _, infer Written> ? Written : never;

export interface Documents {
  /**
   * `null` when there is none. `writer`: this command will write it, so one that cannot be understood may be set aside. `from`: a copy
   * that was kept elsewhere.
   */
  read<Name extends DocumentName>(name: Name, options: { writer: boolean; from?: Shelf }): Promise<ReadOf<Name> | null>;
  has(name: DocumentName): Promise<boolean>;
  /** As it is written, whatever its version. */
  raw(name: DocumentName): Promise<string | null>;
  /** Under this version's name, whatever the value says. */
  write<Name extends DocumentName>(name: Name, value: WrittenOf<Name>): Promise<void>;
  remove(name: DocumentName | TextName | FolderName): Promise<void>;
  /** Lays it below a folder, or takes it back from there. Missing is fine. */
  keepIn(folder: FolderName, under: string, name: DocumentName | TextName | FolderName): Promise<void>;
  takeFrom(folder: FolderName, under: string, name: DocumentName | TextName | FolderName): Promise<void>;
  /** Names of those that could not be understood and were moved out of the way, oldest first. */
  setAside(name: DocumentName): Promise<string[]>;
  readText(name: TextName): Promise<string | null>;
  writeText(name: TextName, text: string): Promise<void>;
  folder(name: FolderName): Shelf;
  /** How a person finds it. */
  where(name: DocumentName | TextName | FolderName): string;
  /** Who writes here now. */
  holder(): ReturnType<DocumentStore['holder']>;
  requests: Requests;
}

export function openDocuments(
  platform: Pick<Platform, 'clock' | 'random'>,
  store: DocumentStore,
  settings: Pick<Migrating, 'onNewerState'> & { warn?: (message: string) => void },
): Documents {
  const warned = new Set<DocumentName>();
  return {
    read: async <Name extends DocumentName>(name: Name, { writer, from = store }: { writer: boolean; from?: Shelf }) => {
      const { file, schema, migrate, decisions } = CATALOGUE[name] as Kind<ReadOf<Name>, unknown>;
      const at: Migrating = { ...settings, where: from.where(file) };
      let seal: unknown;
      const value = await readFrom(from, file, schema, {
        setAside: writer,
        migrate: (raw) => {
          seal = sealIn(raw);
          return migrate === undefined ? raw : migrate(raw, at);
        },
      });
      if (value === null || decisions === undefined || !decisions.any(value)) return value;
      if (await store.seal.fits(seal, name, decisions.of(value))) return value;
      if (writer && !warned.has(name))
        settings.warn?.(
          `Decisions in ${from.where(file)} were not recorded in this project on this machine; they are not used: decide again.`,
        );
      warned.add(name);
      return decisions.without(value);
    },
    write: async (name, value) => {
      const { file, schema, decisions } = CATALOGUE[name] as Kind<unknown, unknown>;
      const document = { ...(value as VersionedDocument), harness_version: HARNESS_VERSION };
      // As it will be read: what a schema adds or leaves out is in the seal too.
      const read = decisions === undefined ? null : schema.safeParse(JSON.parse(JSON.stringify(document)));
      const seal = decisions !== undefined && read?.success === true ? { seal: await store.seal.of(name, decisions.of(read.data)) } : {};
      await writeTo(store, file, { ...document, ...seal });
    },
    has: (name) => store.has(fileOf(name)),
    raw: (name) => store.read(fileOf(name)),
    setAside: async (name) => (await store.list()).filter((other) => other.startsWith(`${fileOf(name)}.unreadable-`)),
    remove: (name) => store.remove(fileOf(name)),
    keepIn: (folder, under, name) => store.move(fileOf(name), `${folder}/${under}/${fileOf(name)}`),
    takeFrom: (folder, under, name) => store.move(`${folder}/${under}/${fileOf(name)}`, fileOf(name)),
    readText: (name) => store.read(TEXTS[name]),
    writeText: (name, text) => store.write(TEXTS[name], text),
    folder: (name) => store.in(name),
    where: (name) => store.where(fileOf(name)),
    holder: store.holder,
    requests: openRequests(platform, store.in('requests')),
  };
}

function sealIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'seal' in value ? value.seal : undefined;
}

function fileOf(name: DocumentName | TextName | FolderName): string {
  if (name in CATALOGUE) return CATALOGUE[name as DocumentName].file;
  return name in TEXTS ? TEXTS[name as TextName] : name;
}
