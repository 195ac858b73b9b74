/**
 * The single tests in a test file's text: title, place and body.
 *
 * 1. Only titles that are plain literals count as known; others are `null` and stand for any name.
 * 2. Two tests with the same normalised body are the same test, whatever they are called and wherever they stand.
 */
import { createHash } from 'node:crypto';
import { endOfBracket, maskSource, type Language } from './mask.ts';

export interface TestCase {
  title: string | null;
  /** From the call or `def` to its end. */
  start: number;
  end: number;
  /** Where the part after the title begins. */
  body: number;
}

export function testCasesIn(text: string, language: Language, mask = maskSource(text, language)): TestCase[] {
  return language === 'python' ? pythonCases(mask) : javascriptCases(text, mask);
}

function javascriptCases(text: string, mask: string): TestCase[] {
  const cases: TestCase[] = [];
  for (const match of mask.matchAll(/(?<![\w.$])(?:test|it|specify)((?:\.\w+)*)\s*\(/g)) {
    const table = /\.each\b/.test(match[1]!);
    const first = match.index + match[0].length - 1;
    const open = table ? nextOpen(mask, endOfBracket(mask, first)) : first;
    if (open === null) continue;
    const end = endOfBracket(mask, open);
    const title = table ? null : titleAt(text, open + 1);
    cases.push({ title: title?.value ?? null, start: match.index, end, body: title?.end ?? open + 1 });
  }
  return cases.filter((one) => one.end <= mask.length);
}

function nextOpen(mask: string, at: number): number | null {
  const match = /^\s*\(/.exec(mask.slice(at, at + 200));
  return match === null ? null : at + match[0].length - 1;
}

function titleAt(text: string, at: number): { value: string; end: number } | null {
  const match = /^\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\$])*)`)/.exec(text.slice(at, at + 2_000));
  if (match === null) return null;
  const raw = match[1] ?? match[2] ?? match[3] ?? '';
  return {
    value: raw.replace(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char)),
    end: at + match[0].length,
  };
}

function pythonCases(mask: string): TestCase[] {
  const cases: TestCase[] = [];
  for (const match of mask.matchAll(/^([ \t]*)(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*(?=\()/gm)) {
    const open = match.index + match[0].length;
    const indent = match[1]!.length;
    const signature = endOfBracket(mask, open);
    cases.push({ title: match[2]!, start: match.index + indent, end: endOfSuite(mask, signature, indent), body: open });
  }
  return cases;
}

/** The first later line that stands no deeper than the `def`; lines inside brackets belong to what they continue. */
function endOfSuite(mask: string, from: number, indent: number): number {
  let depth = 0;
  for (let at = from; at < mask.length; at += 1) {
    const char = mask[at]!;
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (char !== '\n' || depth > 0) continue;
    const line = /^([ \t]*)[^\s]/.exec(mask.slice(at + 1, at + 400));
    if (line !== null && line[1]!.length <= indent) return at + 1;
  }
  return mask.length;
}

/** A hash of what a test does, without its name and its spacing. */
export function bodyHash(text: string, one: TestCase): string {
  const body = text.slice(one.body, one.end).replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(body).digest('hex').slice(0, 32);
}

/** Whether a result's name is that of a test with this title: groups stand before it, parameters after it. */
export function isNamed(name: string, title: string): boolean {
  const own = name === title || name.endsWith(` > ${title}`);
  return own || (/^test\w*$/.test(title) && new RegExp(`(?:^| > )${title}\\[`).test(name));
}
