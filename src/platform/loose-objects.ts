/**
 * Objects and refs as git keeps them in files of their own, read without git.
 *
 * 1. `undefined`: git itself has to be asked, because the name, the ref or the object is of a kind that is not read here, or lies in a pack.
 * 2. `null` only where it is certain that there is no such ref.
 */
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inflate, inflateSync } from 'node:zlib';
import type { Files } from './files.ts';
import { groupOf } from '../domain/text-parts.ts';

export interface GitObject {
  oid: string;
  type: string;
  content: Buffer;
}

interface LooseObjects {
  read(name: string): Promise<GitObject | null | undefined>;
}

const NAME = /^(?:([0-9a-f]{40}|[0-9a-f]{64})|(HEAD|refs\/stash|refs\/(?:heads|harness)\/[\w/-]+(?:\.[\w/-]+)*))(?:\^\{(tree|commit)\})?$/;
const ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const AT_ONCE_BYTES = 256 * 1024;

export function looseObjects(files: Files, gitDir: string): LooseObjects {
  let common: Promise<string | null> | undefined;

  const readObject = async (folder: string, oid: string): Promise<GitObject | undefined> => {
    const packed = await files.read(join(folder, 'objects', oid.slice(0, 2), oid.slice(2))).catch(() => null);
    return packed === null ? undefined : await parseLoose(oid, packed).catch(() => undefined);
  };
  const readPeeled = async (folder: string, oid: string, wanted: string | undefined): Promise<GitObject | undefined> => {
    const object = await readObject(folder, oid);
    if (object === undefined || wanted === undefined || object.type === wanted) return object;
    const tree =
      object.type === 'commit' && wanted === 'tree' ? /^tree ([0-9a-f]+)\n/.exec(object.content.toString('latin1', 0, 80)) : null;
    return tree === null ? undefined : await readObject(folder, groupOf(tree, 1));
  };
  return {
    read: async (name) => {
      const [, oid, ref = null, wanted] = NAME.exec(name) ?? [];
      if (oid === undefined && ref === null) return undefined;
      common ??= commonFolder(files, gitDir);
      const folder = await common;
      if (folder === null) return undefined;
      const id = oid ?? (ref === null ? undefined : await readRef(files, gitDir, folder, ref));
      return typeof id === 'string' ? await readPeeled(folder, id, wanted) : id;
    },
  };
}

/** The folder that all working trees share; null: refs are kept in another way there. */
async function commonFolder(files: Files, gitDir: string): Promise<string | null> {
  const named = await files.readTextIfExists(join(gitDir, 'commondir')).catch(() => null);
  const folder = named === null ? gitDir : resolve(gitDir, named.trim());
  return (await files.exists(join(folder, 'reftable'))) ? null : folder;
}

async function readRef(files: Files, gitDir: string, folder: string, ref: string): Promise<string | null | undefined> {
  const text = await files.readTextIfExists(join(ref === 'HEAD' ? gitDir : folder, ref)).catch(() => undefined);
  if (typeof text === 'string') {
    const said = text.trim();
    if (ID.test(said)) return said;
    const next = /^ref: (refs\/heads\/[\w/-]+(?:\.[\w/-]+)*)$/.exec(said)?.[1];
    return ref === 'HEAD' && next !== undefined ? await readRef(files, gitDir, folder, next) : undefined;
  }
  if (text === undefined || ref === 'HEAD') return undefined;
  const packed = await files.readTextIfExists(join(folder, 'packed-refs')).catch(() => undefined);
  if (typeof packed !== 'string') return packed;
  const end = packed.indexOf(` ${ref}\n`);
  if (end === -1) return null;
  const id = packed.slice(packed.lastIndexOf('\n', end) + 1, end);
  return ID.test(id) ? id : undefined;
}

async function parseLoose(oid: string, packed: Buffer): Promise<GitObject> {
  const whole = packed.length > AT_ONCE_BYTES ? await promisify(inflate)(packed) : inflateSync(packed);
  const end = whole.indexOf(0);
  const header = /^(blob|tree|commit|tag) (\d+)$/.exec(whole.toString('latin1', 0, end));
  const content = whole.subarray(end + 1);
  if (header === null || Number(header[2]) !== content.length) throw new Error(`the object ${oid} cannot be read`);
  return { oid, type: groupOf(header, 1), content };
}
