/** The line of a foreign tool's output that says what failed. Pure. */
import { stripVTControlCharacters } from 'node:util';

/** Never cut in the middle of a word; the whole output is kept elsewhere. */
const LONGEST = 1_000;

/** Empty only where the output is. */
export function firstErrorLine(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !isNoise(line));
  const at = firstIndex(lines);
  const line = lines[at] ?? '';
  const place = PLACE_IN_FILE.test(line) ? lines.slice(0, at).findLast((one) => FILE_HEADING.test(one)) : undefined;
  return shortened([place?.trim(), line.trim().replace(MANAGER_PREFIX, '').trim()].filter(Boolean).join(': '));
}

/** The strongest words first: a tool that says `error:` means it, and one that says `failed` may be counting. */
function firstIndex(lines: readonly string[]): number {
  for (const names of [NAMES_ERROR, NAMES_PLACE, NAMES_FAILURE]) {
    const at = lines.findIndex((line) => names.test(line) && !COUNTS_NONE.test(line) && !ONLY_WARNS.test(line));
    if (at >= 0) return at;
  }
  return lines.length - 1;
}

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
