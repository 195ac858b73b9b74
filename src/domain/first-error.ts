/** The line of a foreign tool's output that says what failed. Pure. */
import { stripVTControlCharacters } from 'node:util';

/** Never cut in the middle of a word; the whole output is kept elsewhere. */
const LONGEST = 1_000;

/** Empty only where the output is. */
export function firstErrorLine(...outputs: readonly string[]): string {
  const lines = stripVTControlCharacters(outputs.join('\n'))
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !isNoise(line));
  const at = firstIndex(lines);
  const line = lines[at] ?? '';
  const place = PLACE_IN_FILE.test(line) ? lines.slice(0, at).findLast((one) => FILE_HEADING.test(one)) : undefined;
  return shortened(
    [place?.trim(), withoutPrefix(line), conflictBelow(lines, at)].filter((part) => part !== undefined && part !== '').join(': '),
  );
}

function withoutPrefix(line: string): string {
  return line.trim().replace(MANAGER_PREFIX, '').replace(YARN_PREFIX, '$1 ').trim();
}

/** npm reports what it could not resolve some lines below. */
function conflictBelow(lines: readonly string[], at: number): string | undefined {
  if (withoutPrefix(lines[at] ?? '') !== 'ERESOLVE could not resolve') return undefined;
  const below = lines.slice(at + 1).map(withoutPrefix);
  return below[below.indexOf('Could not resolve dependency:') + 1];
}

/** The strongest words first: a tool that says `error:` means it, and one that says `failed` may be counting. */
function firstIndex(lines: readonly string[]): number {
  for (const names of [NAMES_CODE, NAMES_ERROR, NAMES_PLACE, NAMES_FAILURE]) {
    const at = lines.findIndex((line) => names.test(line) && !COUNTS_NONE.test(line) && !ONLY_WARNS.test(line));
    if (at >= 0) return at;
  }
  return lines.length - 1;
}

/** Errors of pnpm and yarn, which print them among their progress; of yarn's codes, those that only inform are left out. */
const NAMES_CODE = /\bERR_PNPM_\w+|\bYN(?!00(?:00|02|04|05|06|07|08|13|19|60|61|68|86)\b)\d{4}\b/;
const NAMES_ERROR =
  /(?:^|[\s([])(?:[A-Za-z_][\w.]*)?(?:Error|Exception)(?: \[\w+\])?:|\berror\b(?:\s*[:!\]]|\s+\S)|\bfatal:|\bERR!|^\s*(?:npm )?E[A-Z]{4,}\b|\bnot found\b|\bno such file\b|\bno module named\b|\bcannot find\b|\bcould not\b|\bpermission denied\b|^E\s{2,}\S/i;
const NAMES_PLACE = /^\s*\S+[:(]\d+(?:[:,]\d+)?\)?:?\s+\S|^\s*(?:\d+:\d+\s+)?(?:✖|✗|×|✘|❌)\s/u;
const NAMES_FAILURE = /\bfail(?:ed|ure|s)?\b|\bunable to\b|\bnot ok\b|\bunknown\b|\binvalid\b|\bkilled\b/i;
const COUNTS_NONE = /\b(?:0|no) (?:errors?|failures?|failed|problems?)\b|\b(?:errors?|failed|fail|failures?)[: ]\s*0\b/i;

/** Of a line that names no error. */
const ONLY_WARNS = /^(?!.*\berror\b).*\bwarn(?:ing)?\b/i;

/** eslint names the file in a line of its own. */
const PLACE_IN_FILE = /^\s+\d+:\d+\s/;
const FILE_HEADING = /^\S*[/\\.]\S*$/;

const YARN_PREFIX = /^(?:➤\s*)?(YN\d{4}:)\s*[│└┌]?\s*/;
const MANAGER_PREFIX = /^(?:npm (?:error|ERR!)|error Command failed|\[error\])\s+/;

/** Lines of stacks, of excerpts from sources, and of what a package manager says about itself. */
function isNoise(line: string): boolean {
  return (
    /^\s+at\s/.test(line) ||
    /^\s+File ".*", line \d+/.test(line) ||
    /^\s*(?:\^|~)[\s~^]*$/.test(line) ||
    /^\s*throw\s/.test(line) ||
    /^\s*(?:Traceback \(most recent call last\)|Node\.js v\d|node:internal\/|\[?stdin\]?:\d+$)/.test(line) ||
    /^\/\S+:\d+$/.test(line.trim()) ||
    line.startsWith('> ') ||
    /^(?:npm (?:warn|notice|info|http)|warning )/i.test(line) ||
    /^npm (?:error|ERR!)\s*(?:code\b|errno\b|syscall\b|path\b|command\b|A complete log|Lifecycle script|workspace\b|location\b|$)/i.test(
      line,
    ) ||
    /^\s*(?:Debugger attached|Waiting for the debugger)/.test(line)
  );
}

function shortened(line: string): string {
  if (line.length <= LONGEST) return line;
  const end = line.lastIndexOf(' ', LONGEST);
  return `${line.slice(0, end > LONGEST / 2 ? end : LONGEST)} …`;
}
