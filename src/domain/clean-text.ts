/**
 * Text from agents, tests and files, made safe for a terminal, a log or a prompt.
 *
 * 1. Escape sequences go whole: CSI, OSC, DCS, SOS, PM, APC and short escapes, in their 7-bit and 8-bit forms. One that never ends
 *    ends with its line.
 * 2. Other control characters go; newline and tab stay; a carriage return before a newline goes, any other becomes a newline.
 * 3. Characters that hide or reorder text go: bidirectional marks, zero-width characters, tags, lone surrogates. A zero-width
 *    joiner stays between two characters outside ASCII, where emoji and scripts need it.
 * 4. One state machine reads the text once, so chunks give the same result as the whole and nothing piles up.
 */

export interface Cleaner {
  /** Clean text of this chunk, as far as it is certain. */
  push(chunk: string): string;
  /** What only the end of the text decides. */
  end(): string;
}

export function cleanText(text: string): string {
  if (CLEAN.test(text)) return text;
  const cleaner = createCleaner();
  return cleaner.push(text) + cleaner.end();
}

/** As one line: what a repository names begins no line of its own on a screen. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** For text that arrives in pieces; a piece may end inside a sequence. */
export function createCleaner(): Cleaner {
  const machine: Machine = { state: 'ground', carriage: false, high: '', joiner: false, last: '', out: [] };
  return {
    push: (chunk) => {
      if (isIdle(machine) && chunk !== '' && CLEAN.test(chunk)) {
        machine.last = chunk.slice(-1);
        return chunk;
      }
      for (let index = 0; index < chunk.length; index += 1) step(machine, chunk.charAt(index), chunk.charCodeAt(index));
      return take(machine);
    },
    end: () => {
      if (machine.carriage) emit(machine, '\n');
      return take(machine);
    },
  };
}

type State = 'ground' | 'escape' | 'control' | 'string' | 'string-escape';

interface Machine {
  state: State;
  /** A carriage return whose meaning the next character decides. */
  carriage: boolean;
  /** First half of a character beyond the basic plane. */
  high: string;
  /** A joiner that stays if the next character is outside ASCII. */
  joiner: boolean;
  last: string;
  out: string[];
}

const CLEAN = /^[\t\n\x20-\x7e\u00a1-\u00ac\u00ae-\u034e\u0370-\u05ff]*$/;
const HIDDEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]/;
const STRING_OPENERS = new Set(['\x90', '\x98', '\x9d', '\x9e', '\x9f']);
const STRING_ENDS = new Set(['\x07', '\x18', '\x1a', '\x9c']);

function step(machine: Machine, char: string, code: number): void {
  switch (machine.state) {
    case 'ground':
      return inGround(machine, char, code);
    case 'escape':
      return inEscape(machine, char, code);
    case 'control':
      if (code >= 0x20 && code <= 0x3f) return;
      machine.state = 'ground';
      if (code < 0x40 || code > 0x7e) inGround(machine, char, code);
      return;
    case 'string':
      if (char === '\x1b') machine.state = 'string-escape';
      else if (STRING_ENDS.has(char)) machine.state = 'ground';
      else if (char === '\n') {
        machine.state = 'ground';
        inGround(machine, char, code);
      }
      return;
    case 'string-escape':
      machine.state = char === '\\' ? 'ground' : 'escape';
      if (char !== '\\') inEscape(machine, char, code);
      return;
  }
}

function inEscape(machine: Machine, char: string, code: number): void {
  if (char === '\x1b' || (code >= 0x20 && code <= 0x2f)) return;
  if (char === '[') machine.state = 'control';
  else if (']PX^_'.includes(char)) machine.state = 'string';
  else {
    machine.state = 'ground';
    if (code < 0x30 || code > 0x7e) inGround(machine, char, code);
  }
}

function inGround(machine: Machine, char: string, code: number): void {
  if (machine.carriage && char !== '\r') {
    machine.carriage = false;
    if (char !== '\n') emit(machine, '\n');
  }
  if (code >= 0x20 && code <= 0x7e) return emit(machine, char);
  if (code >= 0xd800 && code <= 0xdfff) return surrogate(machine, char, code);
  if (char === '\n' || char === '\t') return emit(machine, char);
  machine.high = '';
  if (char === '\x1b') machine.state = 'escape';
  else if (char === '\x9b') machine.state = 'control';
  else if (STRING_OPENERS.has(char)) machine.state = 'string';
  else if (char === '\r') machine.carriage = true;
  else if (char === '\u200d') machine.joiner = machine.last > '\x7f';
  else if (code > 0x9f && !HIDDEN.test(char)) emit(machine, char);
}

function surrogate(machine: Machine, char: string, code: number): void {
  if (code < 0xdc00) {
    machine.high = char;
    return;
  }
  const whole = machine.high + char;
  const point = whole.length === 2 ? (whole.codePointAt(0) ?? 0xe0000) : 0xe0000;
  machine.high = '';
  if (point < 0xe0000 || point > 0xe0fff) emit(machine, whole);
}

function emit(machine: Machine, text: string): void {
  machine.high = '';
  if (machine.joiner && text > '\x7f') machine.out.push('\u200d');
  machine.joiner = false;
  machine.last = text;
  machine.out.push(text);
}

function take(machine: Machine): string {
  const text = machine.out.join('');
  machine.out = [];
  return text;
}

function isIdle(machine: Machine): boolean {
  return machine.state === 'ground' && !machine.carriage && machine.high === '' && !machine.joiner;
}
