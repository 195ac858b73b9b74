/**
 * Steps of a visit, read from a person's sentences. Pure.
 *
 * 1. What is not understood for certain is left to a person: `unread`, with whether it would have done something to the page.
 * 2. A target or a text in quotes, or a selector, is `sure`: when the page does not have it, the page is wrong. One without quotes may have
 *    been misread: when the page does not have it, the step was not understood.
 */
import { isAddress, slugOf, unquote, withPlainQuotes } from './step-words.ts';
import { allGroups, groupOf } from '../../domain/text-parts.ts';

export type Target = { selector: string; sure: true } | { name: string; sure: boolean };

export type VisitStep =
  | { kind: 'visit'; to: string }
  | { kind: 'reload' }
  | { kind: 'click'; target: Target }
  | { kind: 'fill'; target: Target; text: string }
  | { kind: 'choose'; target: Target; option: string }
  | { kind: 'press'; key: PressedKey }
  | { kind: 'expect'; texts: string[]; present: boolean; where: 'page' | 'title' }
  | { kind: 'address'; contains: string }
  | { kind: 'console' }
  | { kind: 'wait'; ms: number }
  | { kind: 'resize'; width: number; height: number }
  | { kind: 'screenshot'; name: string }
  | { kind: 'unread'; acts: boolean };

/** A step with the sentence it was read from. */
export interface ReadStep {
  sentence: string;
  step: VisitStep;
}

export const PRESSED_KEYS = [
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
] as const;
export type PressedKey = (typeof PRESSED_KEYS)[number];

export function readSteps(sentences: readonly string[]): ReadStep[] {
  const names = new Set<string>();
  return sentences.map((sentence) => {
    const step = readStep(sentence);
    return { sentence, step: step.kind === 'screenshot' ? { ...step, name: freeName(step.name, names) } : step };
  });
}

export function readStep(sentence: string): VisitStep {
  const text = withPlainQuotes(sentence)
    .replace(/^\s*(?:\d+[.)]|[-*])\s+/, '')
    .replace(/[\s.!]+$/, '')
    .trim();
  for (const read of READERS) {
    const step = read(text);
    if (step !== null) return step;
  }
  return { kind: 'unread', acts: !LOOKS.test(text) };
}

type Reader = (text: string) => VisitStep | null;

const LOOKS = /^(?:verify|check|expect|assert|confirm|ensure|see|look|make sure|should|the page|observe|inspect|compare)\b/i;
const QUOTED = '"[^"]+"';
const LONGEST_WAIT_MS = 10_000;

const READERS: readonly Reader[] = [
  readScreenshot,
  (text) => (/^(?:reload|refresh)\b/i.test(text) ? { kind: 'reload' } : null),
  readVisit,
  readResize,
  readWait,
  (text) => (/\bno\b.*\b(?:console|javascript|js|script) errors?\b/i.test(text) ? { kind: 'console' } : null),
  readPress,
  readFill,
  readChoose,
  readExpect,
  readClick,
];

function readScreenshot(text: string): VisitStep | null {
  const match = /^(?:(?:take|make|capture|save)\s+)?(?:an?\s+|the\s+)?(?:full[- ]page\s+)?screen\s?shot\b[\s:–-]*(.*)$/i.exec(text);
  return match === null
    ? null
    : { kind: 'screenshot', name: slugOf(groupOf(match, 1).replace(/^(?:of|showing|for)\s+(?:the\s+)?/i, '')) || 'page' };
}

function readVisit(text: string): VisitStep | null {
  const match = new RegExp(
    `^(?:(?:navigate|go|browse|return|move)\\s+(?:back\\s+)?to|open|visit|load)\\s+(?:the\\s+)?(?:page\\s+|url\\s+|address\\s+)*(${QUOTED}|\\S+)(?:\\s+(?:page|url|again|in (?:a|the) browser))?$`,
    'i',
  ).exec(text);
  const to = match === null ? null : unquote(groupOf(match, 1));
  if (to !== null && isAddress(to)) return { kind: 'visit', to };
  return /^(?:navigate|go|browse|return)\s+(?:back\s+)?to\s+(?:the\s+)?(?:home|start|main|root|front|landing)\s*page$/i.test(text)
    ? { kind: 'visit', to: '/' }
    : null;
}

function readResize(text: string): VisitStep | null {
  const match = /^(?:resize|set|change|use)\b.*?\b(\d{2,5})\s*[x×]\s*(\d{2,5})\b/i.exec(text);
  if (match === null) return null;
  const [width, height] = [Number(match[1]), Number(match[2])];
  return width < 100 || height < 100 || width > 4_000 || height > 4_000 ? null : { kind: 'resize', width, height };
}

function readWait(text: string): VisitStep | null {
  const match = /^wait\s+(?:for\s+)?(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?)$/i.exec(text);
  if (match === null) return null;
  const ms = Number(match[1]) * (/^m/i.test(groupOf(match, 2)) ? 1 : 1_000);
  return { kind: 'wait', ms: Math.min(ms, LONGEST_WAIT_MS) };
}

function readPress(text: string): VisitStep | null {
  const match = /^(?:press|hit)\s+(?:the\s+)?(?:key\s+)?"?([a-z]+)"?(?:\s+key)?$/i.exec(text);
  const word = (match?.[1] ?? '').toLowerCase();
  const key = PRESSED_KEYS.find((one) => one.toLowerCase() === word || (word === 'return' && one === 'Enter'));
  return key === undefined ? null : { kind: 'press', key };
}

function readFill(text: string): VisitStep | null {
  const into = new RegExp(`^(?:type|enter|write|input|put)\\s+(${QUOTED})\\s+(?:in|into|to|as|for)\\s+(.+)$`, 'i').exec(text);
  if (into !== null) return fillStep(groupOf(into, 2), unquote(groupOf(into, 1)));
  const given = new RegExp(`^(?:fill|set|change)\\s+(?:in\\s+|out\\s+)?(.+?)\\s+(?:with|to)\\s+(${QUOTED})$`, 'i').exec(text);
  return given === null ? null : fillStep(groupOf(given, 1), unquote(groupOf(given, 2)));
}

function fillStep(where: string, text: string): VisitStep | null {
  const target = readTarget(where, 'field|input|box|text ?box|area|text ?area|form field');
  return target === null ? null : { kind: 'fill', target, text };
}

function readChoose(text: string): VisitStep | null {
  const match = new RegExp(`^(?:select|choose|pick)\\s+(${QUOTED})\\s+(?:in|from|for|as)\\s+(.+)$`, 'i').exec(text);
  if (match === null) return null;
  const target = readTarget(groupOf(match, 2), 'list|menu|drop-?down|select|box|field');
  return target === null ? null : { kind: 'choose', target, option: unquote(groupOf(match, 1)) };
}

const EXPECTS =
  /^(?:expect|verify|check|assert|confirm|ensure|see|find|look for|wait (?:for|until)|make sure|(?:you |the user |user )?should see|the page|page|it|shows?)\b/i;
const DENIES = /\b(?:no|not|never|without|gone|hidden|absent|disappears?|disappeared|vanish(?:es|ed)?|missing)\b|n't\b/i;

function readExpect(text: string): VisitStep | null {
  if (!EXPECTS.test(text)) return null;
  const texts = allGroups(text, /"([^"]+)"/g, 1);
  const around = text.replaceAll(/"[^"]+"/g, ' ');
  if (/\b(?:checkbox|check box)\b/i.test(around) && /^check\b/i.test(text)) return null;
  if (/\b(?:url|address|path)\b/i.test(around) && !DENIES.test(around)) {
    const contains = texts[0] ?? /\s(\/\S*|https?:\/\/\S+)$/.exec(around)?.[1];
    return contains === undefined ? null : { kind: 'address', contains };
  }
  if (texts.length === 0) return null;
  return { kind: 'expect', texts, present: !DENIES.test(around), where: /\btitle\b/i.test(around) ? 'title' : 'page' };
}

function readClick(text: string): VisitStep | null {
  const match = /^(?:(?:double[- ])?click|tap|press|push|activate|tick|untick|check|uncheck|select|choose|open)\s+(?:on\s+)?(.+)$/i.exec(
    text,
  );
  if (match === null || /^double/i.test(text)) return null;
  const isClick = /^(?:click|tap|press|push)/i.test(text);
  const target = readTarget(groupOf(match, 1), 'button|link|tab|check ?box|radio(?: button)?|menu item|menu|icon|option|box|entry');
  return target === null || (!isClick && !target.sure) ? null : { kind: 'click', target };
}

/** `kinds`: words for what it is, which say nothing about its name. */
function readTarget(words: string, kinds: string): Target | null {
  const bare = words.replace(/^(?:the|a|an)\s+/i, '').trim();
  const quoted = new RegExp(
    `^(?:(?:${kinds})\\s+(?:(?:labelled|labeled|named|called|with)\\s+)?)?(${QUOTED})(?:\\s+(?:${kinds}))?$`,
    'i',
  ).exec(bare);
  if (quoted !== null) return targetOf(unquote(groupOf(quoted, 1)));
  if (isSelector(bare)) return { selector: bare, sure: true };
  const name = bare.replace(new RegExp(`\\s+(?:${kinds})$`, 'i'), '');
  return name === '' || name.split(/\s+/).length > 4 || name.includes('"') ? null : { name, sure: false };
}

function targetOf(text: string): Target {
  return isSelector(text) ? { selector: text, sure: true } : { name: text, sure: true };
}

function isSelector(text: string): boolean {
  return /^(?:[a-z][a-z0-9-]*)?(?:[#.][a-zA-Z_-][\w-]*|\[[^\]]+\])(?:[#.:>[\s]\S*)*$/.test(text);
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  taken.add(name);
  return name;
}
