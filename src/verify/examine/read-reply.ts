/**
 * The examiner's reply: headings that say what must hold, each with a fenced test file below it.
 *
 * 1. Bounded: a long reply is none at all, of many tests the first twelve count, and a file that is too long is left out.
 * 2. Names and paths in it are words. What is no test that a parser reads is left out, and told.
 */
import { cleanText } from '../../domain/clean-text.ts';
import { counted } from '../../domain/counted.ts';
import type { Platform } from '../../platform/platform.ts';
import { readSources } from '../source/read-source.ts';
import type { ExaminerAnswer, ExaminerTest } from './contract.ts';

export const MOST_TESTS = 12;
const LONGEST_REPLY = 256 * 1024;
const LONGEST_FILE = 20_000;
const LONGEST_BEHAVIOUR = 240;
/** Blocks that are looked at; more are a flood. */
const MOST_BLOCKS = 100;

/** `path`: where its tests will lie, which says in what language they are. */
export async function readReply(platform: Platform, reply: string, path: string): Promise<ExaminerAnswer> {
  if (reply.trim() === '') return { why: 'the examiner wrote nothing' };
  if (reply.length > LONGEST_REPLY) return { why: 'what the examiner wrote is too long' };
  const blocks = blocksOf(reply).slice(0, MOST_BLOCKS);
  const short = blocks.filter(({ code }) => code.length <= LONGEST_FILE);
  const readings = await readSources(
    platform,
    short.map(({ code }) => ({ path, text: code })),
  );
  const leftOut = [counted(blocks.length - short.length, 'test that was too long')];
  const tests: ExaminerTest[] = [];
  let [count, unread, beyond] = [0, 0, 0];
  for (const [index, { words, code }] of short.entries()) {
    const titles = readings[index]?.tests.map(({ title }) => (title ?? []).join(' ')) ?? [];
    if (titles.length === 0) unread += 1;
    else if (count + titles.length > MOST_TESTS) beyond += 1;
    else {
      count += titles.length;
      tests.push({
        behaviour: inOneLine(words) || inOneLine(titles.find((title) => title !== '') ?? '') || 'a behaviour without words',
        code,
      });
    }
  }
  leftOut.push(counted(unread, 'block that is no test'), `${counted(beyond, 'test')} beyond the first ${MOST_TESTS}`);
  if (tests.length === 0)
    return { why: blocks.length === 0 ? 'the examiner wrote no test' : 'what the examiner wrote holds no test that can be read' };
  return { tests, leftOut: leftOut.filter((text) => !text.startsWith('0 ')) };
}

interface Block {
  words: string;
  code: string;
}

/** Fenced blocks, each with the heading above it, or the last line where there is none. */
function blocksOf(reply: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let line = '';
  let fence: string | null = null;
  let code: string[] = [];
  for (const text of reply.replaceAll('\r\n', '\n').split('\n')) {
    if (fence !== null) {
      if (text.trim().startsWith(fence) && text.trim().replaceAll(fence.charAt(0), '') === '') {
        blocks.push({ words: heading || line, code: `${code.join('\n')}\n` });
        [fence, heading, line, code] = [null, '', '', []];
      } else code.push(text);
      continue;
    }
    const opened = /^\s{0,3}(`{3,}|~{3,})[^`]*$/.exec(text)?.[1];
    if (opened !== undefined) fence = opened;
    else if (/^\s{0,3}#{1,6}\s/.test(text)) heading = text.replace(/^[\s#]+/, '');
    else if (text.trim() !== '') line = text.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '');
  }
  return blocks;
}

function inOneLine(text: string): string {
  const line = cleanText(text.slice(0, LONGEST_BEHAVIOUR * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_BEHAVIOUR ? `${line.slice(0, LONGEST_BEHAVIOUR)}…` : line;
}
