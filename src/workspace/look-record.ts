/** One record of a look: what the system's program prints about an entry, a sign for each byte. */

export interface LookedAt {
  kind: string;
  rights: string;
  path: string;
}

const ASCII = /^[\x20-\x7e]*$/;

/** A path as it is printed, as text. */
export function nameFrom(printed: string): string {
  return ASCII.test(printed) ? printed : Buffer.from(printed, 'latin1').toString('utf8');
}

/** The other way round. */
export function printedName(path: string): string {
  return ASCII.test(path) ? path : Buffer.from(path).toString('latin1');
}

/** Where the path of the record begins that begins at `start`: folders have three words before it, everything else six. */
export function pathStart(text: string, start: number): number {
  let at = start;
  for (let words = text.charCodeAt(start) === FOLDER ? 3 : 6; words > 0; words -= 1) at = text.indexOf(' ', at) + 1;
  return at;
}

const FOLDER = 0x64;

export function parseRecord(record: string): LookedAt {
  const kind = record.indexOf(' ');
  return {
    kind: record.slice(0, kind),
    rights: record.slice(kind + 1, record.indexOf(' ', kind + 1)),
    path: nameFrom(record.slice(pathStart(record, 0))),
  };
}
