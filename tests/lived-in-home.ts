/**
 * A home directory as people have it, made once for a test run: dotfiles, settings of managers, and 300 MB of filled package caches.
 *
 * 1. The small files are copied into the home of each scene. The caches are linked into it, file by file: thousands of files in a moment.
 * 2. Contents of the caches are links to a few blocks, so that they look large and take little. Whoever writes into one of them in
 *    place has damaged the user's cache: `changedBlocks` names it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const VARIABLE = 'HARNESS_TEST_LIVED_IN_HOME';
const BLOCKS = 8;
const BLOCK_BYTES = 128 * 1024;
/** Folders of the home directory that hold caches. */
const CACHES = ['.npm', '.local/share/pnpm/store', '.cache/pip'] as const;

/** Git's settings change what git prints: a program that reads git's output must not depend on them. */
const GIT_SETTINGS = `[user]
	name = Ada Tester
	email = ada@example.org
[init]
	defaultBranch = main
[core]
	pager = less -FRX
	excludesFile = ~/.gitignore_global
	quotepath = false
[color]
	ui = always
[diff]
	noprefix = true
	renames = copies
	algorithm = histogram
	submodule = log
[log]
	date = relative
	decorate = full
[status]
	short = true
	branch = true
[pull]
	rebase = true
[push]
	default = simple
[merge]
	conflictStyle = diff3
[rebase]
	autoStash = true
[fetch]
	prune = true
[grep]
	lineNumber = true
[alias]
	st = status
	co = checkout
`;

const SMALL_FILES: Readonly<Record<string, string>> = {
  '.gitconfig': GIT_SETTINGS,
  '.gitignore_global': '.DS_Store\n*.swp\n.idea/\n',
  '.bashrc': 'case $- in *i*) ;; *) return;; esac\nalias ll="ls -alF"\nexport EDITOR=vim\n',
  '.profile': 'if [ -n "$BASH_VERSION" ]; then . "$HOME/.bashrc"; fi\nPATH="$HOME/.local/bin:$PATH"\n',
  '.zshrc': 'setopt nomatch\nautoload -Uz compinit\n',
  '.npmrc': 'fund=false\naudit=false\nsave-exact=true\nprogress=true\nloglevel=notice\ncolor=always\ninit-author-name=Ada Tester\n',
  '.yarnrc.yml': 'enableTelemetry: false\nnodeLinker: pnp\n',
  '.yarnrc': 'disable-self-update-check true\n',
  '.config/pnpm/rc': 'auto-install-peers=true\nstrict-peer-dependencies=false\n',
  '.config/pip/pip.conf': '[global]\ndisable-pip-version-check = true\nrequire-virtualenv = true\n',
  '.config/git/attributes': '*.lock -diff\n',
  '.bunfig.toml': '[install]\nexact = true\n',
  '.editorconfig': 'root = true\n[*]\nindent_style = tab\n',
  '.vimrc': 'set number\n',
  '.node_repl_history': 'process.version\n',
  '.python_history': 'import sys\n',
};

/** The home of this test run; made by whoever asks first. */
export function livedInHome(): string {
  const known = process.env[VARIABLE];
  if (known !== undefined && existsSync(known)) return known;
  const home = mkdtempSync(join(tmpdir(), 'harness lived-in home-'));
  process.env[VARIABLE] = home;
  for (const [path, text] of Object.entries(SMALL_FILES)) put(join(home, path), text);
  fillCaches(home);
  return home;
}

/** Dotfiles and settings, as files of its own. */
export function copyDotfiles(to: string): void {
  for (const path of Object.keys(SMALL_FILES)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(livedInHome(), path), join(to, path));
  }
}

export function linkCaches(to: string): void {
  for (const path of CACHES) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    execFileSync('cp', ['-al', join(livedInHome(), path), dirname(join(to, path))]);
  }
}

export function isCache(home: string, path: string): boolean {
  return CACHES.some((cache) => path === join(home, cache) || path.startsWith(`${join(home, cache)}/`));
}

/** Blocks that hold other bytes than at first. */
export function changedBlocks(): number[] {
  const home = livedInHome();
  return numbers(BLOCKS).filter((index) => !readFileSync(blockAt(home, index)).equals(blockOf(index)));
}

function fillCaches(home: string): void {
  for (const index of numbers(BLOCKS)) put(blockAt(home, index), blockOf(index));
  const content = (index: number, path: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    linkSync(blockAt(home, index % BLOCKS), join(home, path));
  };
  for (const index of numbers(1_700)) {
    const [sha512, sha256] = [hash('sha512', `npm ${index}`), hash('sha256', `npm ${index}`)];
    content(index, `.npm/_cacache/content-v2/sha512/${parted(sha512)}`);
    const entry = JSON.stringify({ key: `make-fetch-happen:request-cache:${index}`, integrity: `sha512-${sha512}`, size: BLOCK_BYTES });
    put(join(home, `.npm/_cacache/index-v5/${parted(sha256)}`), `\n${hash('sha1', entry)}\t${entry}`);
  }
  for (const index of numbers(400)) {
    const sha512 = hash('sha512', `pnpm ${index}`);
    content(index, `.local/share/pnpm/store/v10/files/${sha512.slice(0, 2)}/${sha512.slice(2)}`);
  }
  for (const index of numbers(250))
    content(index, `.cache/pip/http-v2/${[...hash('sha224', `pip ${index}`)].join('/').slice(0, 10)}/body-${index}`);
}

function parted(digest: string): string {
  return `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest.slice(4)}`;
}

function blockAt(home: string, index: number): string {
  return join(home, 'blocks', String(index));
}

function blockOf(index: number): Buffer {
  return Buffer.alloc(BLOCK_BYTES, hash('sha256', `block ${index}`));
}

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
