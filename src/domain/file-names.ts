/** When two names are the same file for some file system: pure. */
import { beforeFirst } from './text-parts.ts';

const ASCII = /^[\x20-\x7e]*$/;
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** One spelling for all names that a case-insensitive or Unicode-composing file system takes for the same. */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The name as the most forgiving file system reads it: without ignored characters, stream names, trailing dots and spaces, and case. */
export function plainName(name: string): string {
  return beforeFirst(foldName(name.replace(IGNORED_BY_HFS, '')), /[\\:]/).replace(/[. ]+$/, '');
}

/** Cheap, for a name or a whole path: what is left has to be read more closely. */
export function mayLookLikeGit(path: string): boolean {
  return /git/i.test(path) || !ASCII.test(path);
}

/** Names that some file system takes for `.git`; git refuses to hold them. */
export function looksLikeGitDirectory(name: string): boolean {
  if (!mayLookLikeGit(name)) return false;
  const plain = plainName(name);
  return plain === '.git' || plain === 'git~1';
}
