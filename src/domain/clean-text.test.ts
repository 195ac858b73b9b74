import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, createCleaner } from './clean-text.ts';

describe('cleanText', () => {
  test.each([
    ['colours', '\x1b[31mred\x1b[0m \x1b[38;2;1;2;3mtrue\x1b[m', 'red true'],
    ['cursor movement', 'a\x1b[2Jb\x1b[1;1Hc\x1b[?25l', 'abc'],
    ['a window title', 'x\x1b]0;evil\x07y', 'xy'],
    ['a hyperlink', '\x1b]8;;http://example.com\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['a clipboard write', '\x1b]52;c;cm0gLXJm\x07ok', 'ok'],
    ['a device control string', '\x1bP1$r0m\x1b\\ok', 'ok'],
    ['8-bit sequences', '\x9b31mred\x9d0;t\x9cend', 'redend'],
    ['a reset of the terminal', '\x1bcok', 'ok'],
    ['a character set switch', '\x1b(0ok', 'ok'],
    ['an unfinished title, which never swallows the next line', '\x1b]0;evil\nnext', '\nnext'],
    ['an unfinished colour at the end', 'ok\x1b[3', 'ok'],
    ['a sequence broken by another', '\x1b[3\x1b[31mok', 'ok'],
    ['backspaces and bells', 'pass\x08\x08\x08\x08fail\x07', 'passfail'],
    ['a carriage return that overwrites a line', 'FAILED\rpassed', 'FAILED\npassed'],
    ['Windows line ends', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['bidirectional overrides and isolates', 'a\u202eb\u2066c\u2069\u202cd', 'abcd'],
    ['zero-width characters', 'pa\u200bss\ufeffed\u2060', 'passed'],
    ['tag characters', 'hi\u{e0041}\u{e0042}', 'hi'],
    ['a lone surrogate', 'a\ud800b\udc00', 'ab'],
    ['a line separator', 'a\u2028b', 'ab'],
    ['a NUL', 'a\0b', 'ab'],
  ])('removes %s', (_what, dirty, clean) => expect(cleanText(dirty)).toBe(clean));

  test.each(['plain\n\ttext', 'Grüße, 日本語, 한국어, עברית', '👩‍💻 and 🏳️‍🌈', 'می‌خواهم'.replaceAll('\u200c', ''), '± § ×'])(
    'keeps %j',
    (text) => expect(cleanText(text)).toBe(text),
  );

  test('its result is clean', () => {
    fc.assert(
      fc.property(
        messy(),
        (text) => void expect(cleanText(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/),
      ),
    );
  });

  test('cleaning twice changes nothing', () => {
    fc.assert(fc.property(messy(), (text) => void expect(cleanText(cleanText(text))).toBe(cleanText(text))));
  });

  test.each(['\x1b[', '\x1b]', '\x1b', '\x1b[1', '\u200d', '\r', '\u00fc\u200d'])(
    'hostile text made of %j takes time in proportion to its length',
    (piece) => {
      expect(cleanText(`${piece.repeat(300_000)}\nend`).endsWith('end')).toBe(true);
    },
  );
});

describe('createCleaner', () => {
  test('chunks give the same text as the whole, wherever they are cut', () => {
    fc.assert(
      fc.property(messy(), fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
        const cleaner = createCleaner();
        let result = '';
        let rest = text;
        for (const cut of cuts) {
          result += cleaner.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        expect(result + cleaner.push(rest) + cleaner.end()).toBe(cleanText(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('text before an unfinished sequence is given at once', () => {
    const cleaner = createCleaner();
    expect(cleaner.push('ready\x1b[3')).toBe('ready');
    expect(cleaner.push('1mred')).toBe('red');
  });

  test('a sequence without end gives nothing until its line ends', () => {
    const cleaner = createCleaner();
    cleaner.push('\x1b]0;');
    for (let chunk = 0; chunk < 100; chunk += 1) expect(cleaner.push('x'.repeat(1_000))).toBe('');
    expect(cleaner.push('y\nz') + cleaner.end()).toBe('\nz');
  });
});

function messy(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    '\x1b[',
    '31',
    'm',
    '\x1b]',
    '0;t',
    '\x07',
    '\x1b\\',
    '\x1b',
    '\x9b',
    '\x9c',
    '\x90',
    '\r',
    '\n',
    '\t',
    '\0',
    'a',
    'ü',
    '日',
    '😀',
    '\u200d',
    '\u200b',
    '\u202e',
    '\ufe0f',
    '\ud83d',
    '\ude00',
    '\\',
    ' ',
    '(',
  );
  return fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
}
