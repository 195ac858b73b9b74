/**
 * How many columns of a terminal a text takes. Where terminals differ, the wider answer: a line that is too short does no harm, one that
 * wraps cannot be rewritten in place.
 */

const PLAIN = /^[\x20-\x7e]*$/;
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NONE = /[\p{Mn}\p{Me}\u200d]/u;
/** Asks for the picture of a character that is text otherwise. */
const AS_PICTURE = '\ufe0f';

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** As much of the beginning as fits, in whole characters. */
export function fitWidth(text: string, columns: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, columns));
  let [width, end] = [0, 0];
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Names and values in two columns. */
export function inColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => displayWidth(name)));
  return rows.map(([name, value]) => `${name}${' '.repeat(width - displayWidth(name))} : ${value}`);
}

export function isWide(character: string): boolean {
  return WIDE.test(character);
}

function characterWidth(character: string): number {
  if (character === AS_PICTURE) return 1;
  return WIDE.test(character) ? 2 : NONE.test(character) ? 0 : 1;
}
