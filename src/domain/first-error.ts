/**
 * The line of a tool's output that says what failed. Pure.
 *
 * 1. Words of the tool come whole: no line is cut in its middle.
 * 2. Lines that say how loud the tool is, where it is, or what it is called are not what failed; neither is the rest of a stack.
 */
import { cleanText } from './clean-text.ts';

/** Most telling first; within one kind the first line counts. */
const TELLING = [
  /\bERR_PNPM_\w+|\bERR_PACKAGE_\w+/,
  /\bYN(?!00(?:00|02|04|05|06|07|08|13|19|60|61|68|86)\b)\d{4}\b/,
  /^npm (?:error|ERR!) (?!code\b|syscall\b|path\b|errno\b|dest\b|command\b|signal\b|workspace\b|location\b|A complete log|\s)\S/,
  /^error(?::|\s+(?!Command failed\b))/i,
  /^(?:\w+\.)*[A-Z]\w*(?:Error|Exception)(?::|$)/,
  /^(?:fatal|bwrap|sh|bash|make): ?/,
  /\berror\b|\bfail(?:ed|ure)\b|\bcannot\b|\bnot found\b|\bno such\b/i,
] as const;

const NOISE = /^(?:npm (?:warn|notice|http|info|verbose|sill)\b|warning\b|warn\b|\s*at \S+ ?\(|info\b)/i;

export function firstError(...outputs: readonly string[]): string | null {
  const lines = outputs.flatMap((text) => cleanText(text).split(/\r?\n/)).map((line) => line.trimEnd());
  const said = lines.filter((line) => line.trim() !== '' && !NOISE.test(line));
  for (const telling of TELLING) {
    const at = said.findIndex((line) => telling.test(line.trim()));
    if (at >= 0) return withSubject(said, at);
  }
  return said[0]?.trim() ?? null;
}

/** npm says what it could not resolve some lines below. */
function withSubject(lines: readonly string[], at: number): string {
  const line = plain(lines[at]!);
  if (!line.startsWith('ERESOLVE ')) return line;
  const below = lines.slice(at + 1).map(plain);
  const wanted = below[below.findIndex((one) => one.startsWith('Could not resolve dependency:')) + 1];
  return wanted === undefined || below.length === 0 ? line : `${line}: ${wanted}`;
}

function plain(line: string): string {
  return line
    .trim()
    .replace(/^npm (?:error|ERR!)\s*/, '')
    .replace(/^(?:➤\s*)?(YN\d{4}:)\s*[│└┌]?\s*/, '$1 ')
    .trim();
}
